// Facilities of hotels: id | group (see hotel-terms.js) | names in en, uk, ru, de, fr, es, pl
export const FACILITY_LANGUAGES = ['en', 'uk', 'ru', 'de', 'fr', 'es', 'pl'];

export const FACILITIES = `
101|1|Private beach|Власний пляж|Собственный пляж|Privatstrand|Plage privée|Playa privada|Prywatna plaża
102|1|First line|Перша лінія|Первая линия|Erste Strandlinie|En première ligne|Primera línea|Pierwsza linia brzegowa
103|1|Sandy beach|Піщаний пляж|Песчаный пляж|Sandstrand|Plage de sable|Playa de arena|Piaszczysta plaża
104|1|Pebble beach|Гальковий пляж|Галечный пляж|Kiesstrand|Plage de galets|Playa de guijarros|Żwirowa plaża
105|1|Sunbeds on the beach|Шезлонги на пляжі|Шезлонги на пляже|Liegen am Strand|Transats sur la plage|Tumbonas en la playa|Leżaki na plaży
106|1|Parasols on the beach|Парасольки на пляжі|Зонтики на пляже|Sonnenschirme am Strand|Parasols sur la plage|Sombrillas en la playa|Parasole na plaży
107|1|Beach towels|Пляжні рушники|Пляжные полотенца|Strandtücher|Serviettes de plage|Toallas de playa|Ręczniki plażowe
108|1|Pontoon|Понтон|Понтон|Badesteg|Ponton|Pontón|Pomost
201|2|Outdoor pool|Відкритий басейн|Открытый бассейн|Außenpool|Piscine extérieure|Piscina exterior|Basen odkryty
202|2|Indoor pool|Критий басейн|Крытый бассейн|Hallenbad|Piscine intérieure|Piscina cubierta|Basen kryty
203|2|Heated pool|Басейн з підігрівом|Бассейн с подогревом|Beheizter Pool|Piscine chauffée|Piscina climatizada|Basen podgrzewany
204|2|Water slides|Водні гірки|Водные горки|Wasserrutschen|Toboggans aquatiques|Toboganes acuáticos|Zjeżdżalnie wodne
205|2|Spa centre|Спа-центр|Спа-центр|Spa-Bereich|Centre de spa|Centro de spa|Centrum spa
206|2|Sauna|Сауна|Сауна|Sauna|Sauna|Sauna|Sauna
207|2|Turkish bath|Турецька лазня|Турецкая баня|Türkisches Bad|Hammam|Baño turco|Łaźnia turecka
208|2|Massage|Масаж|Массаж|Massage|Massage|Masaje|Masaż
209|2|Jacuzzi|Джакузі|Джакузи|Whirlpool|Jacuzzi|Jacuzzi|Jacuzzi
301|3|Air conditioning|Кондиціонер|Кондиционер|Klimaanlage|Climatisation|Aire acondicionado|Klimatyzacja
302|3|Balcony|Балкон|Балкон|Balkon|Balcon|Balcón|Balkon
303|3|Television|Телевізор|Телевизор|Fernseher|Télévision|Televisión|Telewizor
304|3|Minibar|Мінібар|Мини-бар|Minibar|Minibar|Minibar|Minibar
305|3|Safe|Сейф|Сейф|Safe|Coffre-fort|Caja fuerte|Sejf
306|3|Hairdryer|Фен|Фен|Haartrockner|Sèche-cheveux|Secador de pelo|Suszarka do włosów
307|3|Kettle|Електрочайник|Электрочайник|Wasserkocher|Bouilloire|Hervidor|Czajnik
308|3|Kitchenette|Міні-кухня|Мини-кухня|Kochnische|Kitchenette|Cocina pequeña|Aneks kuchenny
309|3|Bath|Ванна|Ванна|Badewanne|Baignoire|Bañera|Wanna
310|3|Shower|Душ|Душ|Dusche|Douche|Ducha|Prysznic
311|3|Sea view|Вид на море|Вид на море|Meerblick|Vue sur la mer|Vistas al mar|Widok na morze
312|3|Non-smoking rooms|Номери для некурців|Номера для некурящих|Nichtraucherzimmer|Chambres non-fumeurs|Habitaciones para no fumadores|Pokoje dla niepalących
401|4|24-hour reception|Цілодобова рецепція|Круглосуточная стойка регистрации|24-Stunden-Rezeption|Réception ouverte 24 h/24|Recepción 24 horas|Całodobowa recepcja
402|4|Parking|Парковка|Парковка|Parkplatz|Parking|Aparcamiento|Parking
403|4|Airport transfer|Трансфер з аеропорту|Трансфер из аэропорта|Flughafentransfer|Transfert aéroport|Traslado al aeropuerto|Transfer lotniskowy
404|4|Laundry|Пральня|Прачечная|Wäscherei|Blanchisserie|Lavandería|Pralnia
405|4|Room service|Обслуговування номерів|Обслуживание номеров|Zimmerservice|Service en chambre|Servicio de habitaciones|Obsługa pokojowa
406|4|Luggage storage|Камера схову|Камера хранения|Gepäckaufbewahrung|Bagagerie|Consigna de equipaje|Przechowalnia bagażu
407|4|Currency exchange|Обмін валюти|Обмен валюты|Geldwechsel|Bureau de change|Cambio de divisas|Wymiana walut
408|4|Car hire|Прокат автомобілів|Прокат автомобилей|Autovermietung|Location de voitures|Alquiler de coches|Wypożyczalnia samochodów
409|4|Lift|Ліфт|Лифт|Aufzug|Ascenseur|Ascensor|Winda
410|4|Wheelchair access|Доступ для інвалідних візків|Доступ для инвалидных колясок|Rollstuhlgerecht|Accès en fauteuil roulant|Acceso en silla de ruedas|Dostęp dla wózków inwalidzkich
411|4|Pets allowed|Можна з тваринами|Можно с животными|Haustiere erlaubt|Animaux acceptés|Se admiten mascotas|Zwierzęta dozwolone
412|4|Doctor|Лікар|Врач|Arzt|Médecin|Médico|Lekarz
501|5|Restaurant|Ресторан|Ресторан|Restaurant|Restaurant|Restaurante|Restauracja
502|5|À la carte restaurant|Ресторан à la carte|Ресторан à la carte|À-la-carte-Restaurant|Restaurant à la carte|Restaurante a la carta|Restauracja à la carte
503|5|Bar|Бар|Бар|Bar|Bar|Bar|Bar
504|5|Pool bar|Бар біля басейну|Бар у бассейна|Poolbar|Bar de piscine|Bar en la piscina|Bar przy basenie
505|5|Beach bar|Пляжний бар|Пляжный бар|Strandbar|Bar de plage|Bar en la playa|Bar na plaży
506|5|Diet menu|Дієтичне меню|Диетическое меню|Diätkost|Menu diététique|Menú dietético|Menu dietetyczne
507|5|Buffet|Шведський стіл|Шведский стол|Buffet|Buffet|Bufé|Bufet
601|6|Gym|Тренажерний зал|Тренажёрный зал|Fitnessraum|Salle de sport|Gimnasio|Siłownia
602|6|Tennis court|Тенісний корт|Теннисный корт|Tennisplatz|Court de tennis|Pista de tenis|Kort tenisowy
603|6|Diving|Дайвінг|Дайвинг|Tauchen|Plongée|Buceo|Nurkowanie
604|6|Water sports|Водні види спорту|Водные виды спорта|Wassersport|Sports nautiques|Deportes acuáticos|Sporty wodne
605|6|Golf course|Поле для гольфу|Поле для гольфа|Golfplatz|Terrain de golf|Campo de golf|Pole golfowe
606|6|Table tennis|Настільний теніс|Настольный теннис|Tischtennis|Tennis de table|Tenis de mesa|Tenis stołowy
607|6|Bicycle hire|Прокат велосипедів|Прокат велосипедов|Fahrradverleih|Location de vélos|Alquiler de bicicletas|Wypożyczalnia rowerów
608|6|Ski storage|Зберігання лиж|Хранение лыж|Skiraum|Local à skis|Guardaesquís|Przechowalnia nart
609|6|Entertainment|Анімація|Анимация|Animation|Animation|Animación|Animacje
701|7|Children's pool|Дитячий басейн|Детский бассейн|Kinderbecken|Piscine pour enfants|Piscina infantil|Basen dla dzieci
702|7|Children's club|Дитячий клуб|Детский клуб|Kinderclub|Club enfants|Club infantil|Klub dla dzieci
703|7|Playground|Дитячий майданчик|Детская площадка|Spielplatz|Aire de jeux|Parque infantil|Plac zabaw
704|7|Cot|Дитяче ліжечко|Детская кроватка|Babybett|Lit bébé|Cuna|Łóżeczko dziecięce
705|7|Babysitting|Послуги няні|Услуги няни|Babysitter|Garde d’enfants|Servicio de niñera|Opieka nad dziećmi
706|7|Children's menu|Дитяче меню|Детское меню|Kinderkarte|Menu enfant|Menú infantil|Menu dla dzieci
801|8|Wi-Fi|Wi-Fi|Wi-Fi|WLAN|Wi-Fi|Wifi|Wi-Fi
802|8|Wi-Fi in the room|Wi-Fi у номері|Wi-Fi в номере|WLAN im Zimmer|Wi-Fi dans la chambre|Wifi en la habitación|Wi-Fi w pokoju
803|8|Conference room|Конференц-зал|Конференц-зал|Konferenzraum|Salle de conférence|Sala de conferencias|Sala konferencyjna
804|8|Business centre|Бізнес-центр|Бизнес-центр|Businesscenter|Centre d’affaires|Centro de negocios|Centrum biznesowe
`;
