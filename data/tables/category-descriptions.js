// Hotel categories of which the name says nothing to a traveller: id | description in en, uk, ru, de, fr, es, it, pl, tr, zh, ar
export const CATEGORY_DESCRIPTIONS = `
1|One star|Одна зірка|Одна звезда|Ein Stern|Une étoile|Una estrella|Una stella|Jedna gwiazdka|Bir yıldız|一星级|نجمة واحدة
2|Two stars|Дві зірки|Две звезды|Zwei Sterne|Deux étoiles|Dos estrellas|Due stelle|Dwie gwiazdki|İki yıldız|二星级|نجمتان
3|Three stars|Три зірки|Три звезды|Drei Sterne|Trois étoiles|Tres estrellas|Tre stelle|Trzy gwiazdki|Üç yıldız|三星级|ثلاث نجوم
4|Four stars|Чотири зірки|Четыре звезды|Vier Sterne|Quatre étoiles|Cuatro estrellas|Quattro stelle|Cztery gwiazdki|Dört yıldız|四星级|أربع نجوم
5|Five stars|П'ять зірок|Пять звёзд|Fünf Sterne|Cinq étoiles|Cinco estrellas|Cinque stelle|Pięć gwiazdek|Beş yıldız|五星级|خمس نجوم
6|Holiday village, first class|Клуб відпочинку першої категорії|Клубный отель первой категории|Feriendorf der ersten Klasse|Village de vacances, première classe|Complejo vacacional, primera clase|Villaggio turistico di prima classe|Ośrodek wypoczynkowy pierwszej klasy|Birinci sınıf tatil köyü|一级度假村|قرية سياحية درجة أولى
7|Holiday village, second class|Клуб відпочинку другої категорії|Клубный отель второй категории|Feriendorf der zweiten Klasse|Village de vacances, deuxième classe|Complejo vacacional, segunda clase|Villaggio turistico di seconda classe|Ośrodek wypoczynkowy drugiej klasy|İkinci sınıf tatil köyü|二级度假村|قرية سياحية درجة ثانية
`;
