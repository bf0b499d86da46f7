// Small lists about hotels. Names in en, uk, ru, de, fr, es, it, pl, tr, zh, ar; a single name serves every language.

export const HOTEL_CATEGORIES = `
1|1*
2|2*
3|3*
4|4*
5|5*
6|HV-1
7|HV-2
8|Apartments|Апартаменти|Апартаменты|Apartments|Appartements|Apartamentos|Appartamenti|Apartamenty|Apart daire|公寓|شقق
9|Villa|Вілла|Вилла|Villa|Villa|Villa|Villa|Willa|Villa|别墅|فيلا
10|Hostel|Хостел|Хостел|Hostel|Auberge de jeunesse|Albergue|Ostello|Hostel|Hostel|青年旅舍|نزل
11|Boutique|Бутик|Бутик|Boutique|Boutique|Boutique|Boutique|Butikowy|Butik|精品|بوتيك
12|Unrated|Без категорії|Без категории|Ohne Kategorie|Non classé|Sin categoría|Senza categoria|Bez kategorii|Derecelendirilmemiş|未评级|غير مصنف
`;

export const HOTEL_TYPES = `
1|Hotel|Готель|Отель|Hotel|Hôtel|Hotel|Hotel|Hotel|Otel|酒店|فندق
2|Beach hotel|Пляжний готель|Пляжный отель|Strandhotel|Hôtel de plage|Hotel de playa|Hotel sulla spiaggia|Hotel przy plaży|Plaj oteli|海滩酒店|فندق شاطئي
3|City hotel|Міський готель|Городской отель|Stadthotel|Hôtel de ville|Hotel urbano|Hotel in città|Hotel miejski|Şehir oteli|城市酒店|فندق في المدينة
4|Resort|Курортний готель|Курортный отель|Resort|Complexe hôtelier|Complejo turístico|Resort|Ośrodek wypoczynkowy|Tatil köyü|度假村|منتجع
5|Ski hotel|Гірськолижний готель|Горнолыжный отель|Skihotel|Hôtel de ski|Hotel de esquí|Hotel sulle piste|Hotel narciarski|Kayak oteli|滑雪酒店|فندق تزلج
6|Spa hotel|Спа-готель|Спа-отель|Wellnesshotel|Hôtel spa|Hotel spa|Hotel spa|Hotel spa|Spa otel|水疗酒店|فندق سبا
7|Aparthotel|Апарт-готель|Апарт-отель|Aparthotel|Appart’hôtel|Aparthotel|Aparthotel|Aparthotel|Apart otel|公寓式酒店|شقق فندقية
8|Boutique hotel|Бутик-готель|Бутик-отель|Boutique-Hotel|Hôtel-boutique|Hotel boutique|Boutique hotel|Hotel butikowy|Butik otel|精品酒店|فندق بوتيك
9|Guest house|Гостьовий будинок|Гостевой дом|Gästehaus|Maison d’hôtes|Casa de huéspedes|Pensione|Pensjonat|Pansiyon|宾馆|بيت ضيافة
10|Villa|Вілла|Вилла|Villa|Villa|Villa|Villa|Willa|Villa|别墅|فيلا
11|Hostel|Хостел|Хостел|Hostel|Auberge de jeunesse|Albergue|Ostello|Hostel|Hostel|青年旅舍|نزل
12|Bungalow|Бунгало|Бунгало|Bungalow|Bungalow|Bungaló|Bungalow|Bungalow|Bungalov|平房别墅|بنغل
13|Sanatorium|Санаторій|Санаторий|Kurklinik|Établissement de cure|Balneario|Stabilimento termale|Sanatorium|Sanatoryum|疗养院|مصحة
`;

export const DESCRIPTION_TYPES = `
1|General|Загальний опис|Общее описание|Allgemeines|Description générale|Descripción general|Descrizione generale|Opis ogólny|Genel bilgi|概况|وصف عام
2|Location|Розташування|Расположение|Lage|Situation|Ubicación|Posizione|Położenie|Konum|位置|الموقع
3|Rooms|Номери|Номера|Zimmer|Chambres|Habitaciones|Camere|Pokoje|Odalar|客房|الغرف
4|Beach|Пляж|Пляж|Strand|Plage|Playa|Spiaggia|Plaża|Plaj|海滩|الشاطئ
5|Meals|Харчування|Питание|Verpflegung|Repas|Comidas|Pasti|Wyżywienie|Yemekler|餐饮|الوجبات
6|Sport and entertainment|Спорт і розваги|Спорт и развлечения|Sport und Unterhaltung|Sports et loisirs|Deporte y ocio|Sport e intrattenimento|Sport i rozrywka|Spor ve eğlence|运动与娱乐|الرياضة والترفيه
7|For children|Для дітей|Для детей|Für Kinder|Pour les enfants|Para niños|Per bambini|Dla dzieci|Çocuklar için|儿童服务|للأطفال
8|Good to know|Важлива інформація|Важная информация|Gut zu wissen|Bon à savoir|Información útil|Buono a sapersi|Warto wiedzieć|Bilmekte yarar var|须知|معلومات مهمة
`;

export const FACILITY_GROUPS = `
1|Beach|Пляж|Пляж|Strand|Plage|Playa|Spiaggia|Plaża|Plaj|海滩|الشاطئ
2|Pools and spa|Басейни та спа|Бассейны и спа|Pools und Wellness|Piscines et spa|Piscinas y spa|Piscine e spa|Baseny i spa|Havuzlar ve spa|泳池与水疗|المسابح والسبا
3|In the room|У номері|В номере|Im Zimmer|Dans la chambre|En la habitación|In camera|W pokoju|Odada|客房设施|في الغرفة
4|Services|Послуги|Услуги|Service|Services|Servicios|Servizi|Usługi|Hizmetler|服务|الخدمات
5|Food and drink|Їжа та напої|Еда и напитки|Essen und Trinken|Restauration|Comida y bebida|Cibo e bevande|Jedzenie i napoje|Yiyecek ve içecek|餐饮|الطعام والشراب
6|Sport|Спорт|Спорт|Sport|Sports|Deporte|Sport|Sport|Spor|运动|الرياضة
7|For children|Для дітей|Для детей|Für Kinder|Pour les enfants|Para niños|Per bambini|Dla dzieci|Çocuklar için|儿童设施|للأطفال
8|Internet and business|Інтернет і бізнес|Интернет и бизнес|Internet und Business|Internet et affaires|Internet y negocios|Internet e business|Internet i biznes|İnternet ve iş|网络与商务|الإنترنت والأعمال
`;
