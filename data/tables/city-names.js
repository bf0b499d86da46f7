// Names of cities and resorts that the CLDR does not have, being no time-zone cities.
// country | name in GeoNames | en if other | uk | ru | de | fr | es | it | pl | tr | zh | ar
// An empty cell: as in English for languages in Latin script, not known for the others.
export const CITY_NAMES = `
UA|Lviv||Львів|Львов|Lwiw|Lviv|Leópolis|Leopoli|Lwów|Lviv|利沃夫|لفيف
UA|Odessa|Odesa|Одеса|Одесса|Odessa|Odessa|Odesa|Odessa|Odessa|Odessa|敖德萨|أوديسا
UA|Kharkiv||Харків|Харьков|Charkiw|Kharkiv|Járkov|Charkiv|Charków|Harkiv|哈尔科夫|خاركيف
UA|Dnipro||Дніпро|Днепр|Dnipro|Dnipro|Dnipró|Dnipro|Dniepr|Dnipro|第聂伯罗|دنيبرو
UA|Zaporizhia|Zaporizhzhia|Запоріжжя|Запорожье|Saporischschja|Zaporijjia|Zaporiyia|Zaporižžja|Zaporoże|Zaporijya|扎波罗热|زاباروجيا
UA|Vinnytsia||Вінниця|Винница|Winnyzja|Vinnytsia|Vínnytsia|Vinnycja|Winnica|Vinnitsya|文尼察|فينيتسا
UA|Chernivtsi||Чернівці|Черновцы|Czernowitz|Tchernivtsi|Chernivtsí|Černivci|Czerniowce|Çernivtsi|切尔诺夫策|تشيرنيفتسي
UA|Ivano-Frankivsk||Івано-Франківськ|Ивано-Франковск|Iwano-Frankiwsk|Ivano-Frankivsk|Ivano-Frankivsk|Ivano-Frankivs'k|Iwano-Frankiwsk|İvano-Frankivsk|伊万诺-弗兰科夫斯克|إيفانو فرانكيفسك
UA|Uzhgorod|Uzhhorod|Ужгород|Ужгород|Uschhorod|Oujhorod|Úzhgorod|Užhorod|Użhorod|Ujhorod|乌日霍罗德|أوجهورود
UA|Rivne||Рівне|Ровно|Riwne|Rivne|Rivne|Rivne|Równe|Rivne|罗夫诺|ريفنا
UA|Mykolayiv|Mykolaiv|Миколаїв|Николаев|Mykolajiw|Mykolaïv|Mykolaiv|Mykolaïv|Mikołajów|Mikolayiv|尼古拉耶夫|ميكولايف
UA|Kherson||Херсон|Херсон|Cherson|Kherson|Jersón|Cherson|Chersoń|Herson|赫尔松|خيرسون
UA|Poltava||Полтава|Полтава|Poltawa|||Poltava|Połtawa||波尔塔瓦|بولتافا
UA|Kryvyi Rih||Кривий Ріг|Кривой Рог|Krywyj Rih|Kryvyï Rih|Krivói Rog|Kryvyj Rih|Krzywy Róg|Krıvıy Rih|克里沃罗格|كريفي ريه
UA|Donetsk||Донецьк|Донецк|Donezk|Donetsk|Donetsk|Donec'k|Donieck|Donetsk|顿涅茨克|دونيتسك
UA|Mariupol||Маріуполь|Мариуполь|Mariupol|Marioupol|Mariúpol||||马里乌波尔|ماريوبول
UA|Luhansk||Луганськ|Луганск|Luhansk|Louhansk|Lugansk|Luhans'k|Ługańsk||卢甘斯克|لوهانسك
PL|Kraków||Краків|Краков|Krakau|Cracovie|Cracovia|Cracovia|Kraków|Krakov|克拉科夫|كراكوف
PL|Gdańsk||Гданськ|Гданьск|Danzig|Gdańsk|Gdansk|Danzica|Gdańsk|Gdańsk|格但斯克|غدانسك
PL|Katowice||Катовіце|Катовице|Kattowitz||||||卡托维兹|كاتوفيتسه
PL|Wrocław||Вроцлав|Вроцлав|Breslau|||Breslavia|||弗罗茨瓦夫|فروتسواف
PL|Poznań||Познань|Познань|Posen|||||Poznan|波兹南|بوزنان
PL|Łódź||Лодзь|Лодзь|Lodz|Łódź|Lodz|Łódź|Łódź|Łódź|罗兹|وودج
PL|Rzeszów||Жешув|Жешув|||||||热舒夫|جيشوف
PL|Lublin||Люблін|Люблин||||Lublino|||卢布林|لوبلين
PL|Szczecin||Щецин|Щецин|Stettin|||Stettino|||什切青|شتشتسين
PL|Bydgoszcz||Бидгощ|Быдгощ|||||||比得哥什|بيدغوشتش
DE|Munich||Мюнхен|Мюнхен|München|Munich|Múnich|Monaco di Baviera|Monachium|Münih|慕尼黑|ميونخ
DE|Hamburg||Гамбург|Гамбург|Hamburg|Hambourg|Hamburgo|Amburgo|Hamburg|Hamburg|汉堡|هامبورغ
DE|Frankfurt am Main|Frankfurt|Франкфурт-на-Майні|Франкфурт-на-Майне|Frankfurt am Main|Francfort-sur-le-Main|Fráncfort del Meno|Francoforte sul Meno|Frankfurt nad Menem|Frankfurt|法兰克福|فرانكفورت
DE|Köln|Cologne|Кельн|Кёльн|Köln|Cologne|Colonia|Colonia|Kolonia|Köln|科隆|كولونيا
DE|Düsseldorf||Дюссельдорф|Дюссельдорф|Düsseldorf|Düsseldorf|Düsseldorf|Düsseldorf|Düsseldorf|Düsseldorf|杜塞尔多夫|دوسلدورف
DE|Stuttgart||Штутгарт|Штутгарт|Stuttgart|Stuttgart|Stuttgart|Stoccarda|Stuttgart|Stuttgart|斯图加特|شتوتغارت
DE|Leipzig||Лейпциг|Лейпциг|Leipzig|Leipzig|Leipzig|Lipsia|Lipsk|Leipzig|莱比锡|لايبتسيغ
DE|Dresden||Дрезден|Дрезден|Dresden|Dresde|Dresde|Dresda|Drezno|Dresden|德累斯顿|دريسدن
DE|Hannover|Hanover|Ганновер|Ганновер|Hannover|Hanovre|Hannover|Hannover|Hanower|Hannover|汉诺威|هانوفر
DE|Nürnberg|Nuremberg|Нюрнберг|Нюрнберг|Nürnberg|Nuremberg|Núremberg|Norimberga|Norymberga|Nürnberg|纽伦堡|نورنبرغ
DE|Bremen||Бремен|Бремен|Bremen|Brême|Bremen|Brema|Brema|Bremen|不来梅|بريمن
DE|Dortmund||Дортмунд|Дортмунд|||||||多特蒙德|دورتموند
AT|Salzburg||Зальцбург|Зальцбург|Salzburg|Salzbourg|Salzburgo|Salisburgo|Salzburg|Salzburg|萨尔茨堡|سالزبورغ
AT|Innsbruck||Інсбрук|Инсбрук||||||||
AT|Graz||Грац|Грац||||||||
CH|Genève|Geneva|Женева|Женева|Genf|Genève|Ginebra|Ginevra|Genewa|Cenevre|日内瓦|جنيف
CH|Basel||Базель|Базель|Basel|Bâle|Basilea|Basilea|Bazylea|Basel|巴塞尔|بازل
CH|Bern||Берн|Берн|Bern|Berne|Berna|Berna|Berno|Bern|伯尔尼|برن
CZ|Brno||Брно|Брно|Brünn||||||布尔诺|برنو
CZ|Ostrava||Острава|Острава|||||Ostrawa||俄斯特拉发|أوسترافا
CZ|Karlovy Vary||Карлові Вари|Карловы Вары|Karlsbad||||Karlowe Wary||卡罗维发利|كارلوفي فاري
SK|Košice||Кошиці|Кошице|||||Koszyce||科希策|كوشيتسه
RO|Cluj-Napoca||Клуж-Напока|Клуж-Напока|||||Kluż-Napoka||克卢日-纳波卡|كلوج نابوكا
RO|Timişoara|Timișoara|Тімішоара|Тимишоара|Timișoara||||Timișoara|Temeşvar|蒂米什瓦拉|تيميشوارا
RO|Iaşi|Iași|Ясси|Яссы|Iași|||||Yaş|雅西|ياش
BG|Varna||Варна|Варна|Warna|||Varna|Warna|Varna|瓦尔纳|فارنا
BG|Burgas||Бургас|Бургас|Burgas|Bourgas|Burgas|Burgas|Burgas|Burgaz|布尔加斯|بورغاس
BG|Nesebar||Несебр|Несебр|Nessebar|Nessebar|||Nesebyr|Nesebır|内塞伯尔|نسبار
BG|Bansko||Банско|Банско||||||||
LT|Kaunas||Каунас|Каунас||||Kaunas|Kowno||考纳斯|كاوناس
BY|Brest||Брест|Брест|Brest|Brest|Brest|Brėst|Brześć||布列斯特|بريست
RU|Saint Petersburg||Санкт-Петербург|Санкт-Петербург|Sankt Petersburg|Saint-Pétersbourg|San Petersburgo|San Pietroburgo|Petersburg|Sankt-Peterburg|圣彼得堡|سانت بطرسبرغ
RU|Kazan||Казань|Казань|Kasan|Kazan|Kazán|Kazan'|Kazań|Kazan|喀山|قازان
RU|Sochi||Сочі|Сочи|Sotschi|Sotchi|Sochi|Soči|Soczi|Soçi|索契|سوتشي
RU|Rostov-na-Donu|Rostov-on-Don|Ростов-на-Дону|Ростов-на-Дону|Rostow am Don|Rostov-sur-le-Don|Rostov del Don|Rostov sul Don|Rostów nad Donem|Rostov|顿河畔罗斯托夫|روستوف على الدون
RU|Krasnodar||Краснодар|Краснодар||||||||
RU|Ufa||Уфа|Уфа||Oufa||||||
RU|Perm||Перм|Пермь||||Perm'|Perm||彼尔姆|بيرم
RU|Chelyabinsk||Челябінськ|Челябинск|Tscheljabinsk|Tcheliabinsk|Cheliábinsk|Čeljabinsk|Czelabińsk|Çelyabinsk|车里雅宾斯克|تشيليابينسك
RU|Nizhniy Novgorod|Nizhny Novgorod|Нижній Новгород|Нижний Новгород|Nischni Nowgorod|Nijni Novgorod|Nizhni Nóvgorod|Nižnij Novgorod|Niżny Nowogród|Nijni Novgorod|下诺夫哥罗德|نيجني نوفغورود
GB|Manchester||Манчестер|Манчестер||||||Manchester|曼彻斯特|مانشستر
GB|Birmingham||Бірмінгем|Бирмингем|||||||伯明翰|برمنغهام
GB|Edinburgh||Единбург|Эдинбург|Edinburgh|Édimbourg|Edimburgo|Edimburgo|Edynburg|Edinburgh|爱丁堡|إدنبرة
GB|Glasgow||Глазго|Глазго|||||||格拉斯哥|غلاسكو
GB|Liverpool||Ліверпуль|Ливерпуль|||||||利物浦|ليفربول
GB|Bristol||Бристоль|Бристоль|||||||布里斯托尔|بريستول
FR|Nice||Ніцца|Ницца|Nizza|Nice|Niza|Nizza|Nicea|Nice|尼斯|نيس
FR|Lyon||Ліон|Лион|Lyon|Lyon|Lyon|Lione|Lyon|Lyon|里昂|ليون
FR|Marseille||Марсель|Марсель|Marseille|Marseille|Marsella|Marsiglia|Marsylia|Marsilya|马赛|مرسيليا
FR|Toulouse||Тулуза|Тулуза|Toulouse|Toulouse|Toulouse|Toulouse|Tuluza|Toulouse|图卢兹|تولوز
FR|Bordeaux||Бордо|Бордо|Bordeaux|Bordeaux|Burdeos|Bordeaux|Bordeaux|Bordeaux|波尔多|بوردو
FR|Strasbourg||Страсбург|Страсбург|Straßburg|Strasbourg|Estrasburgo|Strasburgo|Strasburg|Strazburg|斯特拉斯堡|ستراسبورغ
FR|Cannes||Канни|Канны|||||||戛纳|كان
ES|Barcelona||Барселона|Барселона|Barcelona|Barcelone|Barcelona|Barcellona|Barcelona|Barselona|巴塞罗那|برشلونة
ES|Palma||Пальма|Пальма|Palma|Palma|Palma|Palma di Maiorca|Palma|Palma|帕尔马|بالما
ES|Málaga||Малага|Малага|Málaga|Malaga|Málaga|Malaga|Malaga|Malaga|马拉加|مالقة
ES|Valencia||Валенсія|Валенсия|Valencia|Valence|Valencia|Valencia|Walencja|Valensiya|瓦伦西亚|فالنسيا
ES|Sevilla|Seville|Севілья|Севилья|Sevilla|Séville|Sevilla|Siviglia|Sewilla|Sevilla|塞维利亚|إشبيلية
ES|Alicante||Аліканте|Аликанте|||||||阿利坎特|أليكانتي
ES|Ibiza||Ібіца|Ибица|Ibiza|Ibiza|Ibiza|Ibiza|Ibiza|İbiza|伊维萨|إيبيزا
ES|Benidorm||Бенідорм|Бенидорм||||||||
ES|Marbella||Марбелья|Марбелья||||||||
PT|Porto||Порту|Порту|Porto|Porto|Oporto|Porto|Porto|Porto|波尔图|بورتو
PT|Faro||Фару|Фару|||||||法鲁|فارو
PT|Funchal||Фуншал|Фуншал|||||||丰沙尔|فونشال
PT|Albufeira||Албуфейра|Албуфейра||||||||
IT|Milan||Мілан|Милан|Mailand|Milan|Milán|Milano|Mediolan|Milano|米兰|ميلانو
IT|Venice||Венеція|Венеция|Venedig|Venise|Venecia|Venezia|Wenecja|Venedik|威尼斯|البندقية
IT|Naples||Неаполь|Неаполь|Neapel|Naples|Nápoles|Napoli|Neapol|Napoli|那不勒斯|نابولي
IT|Florence||Флоренція|Флоренция|Florenz|Florence|Florencia|Firenze|Florencja|Floransa|佛罗伦萨|فلورنسا
IT|Turin||Турин|Турин|Turin|Turin|Turín|Torino|Turyn|Torino|都灵|تورينو
IT|Bologna||Болонья|Болонья|Bologna|Bologne|Bolonia|Bologna|Bolonia|Bologna|博洛尼亚|بولونيا
IT|Rimini||Ріміні|Римини|||||||里米尼|ريميني
IT|Verona||Верона|Верона|Verona|Vérone|Verona|Verona|Werona|Verona|维罗纳|فيرونا
IT|Palermo||Палермо|Палермо|Palermo|Palerme|Palermo|Palermo|Palermo|Palermo|巴勒莫|باليرمو
IT|Catania||Катанія|Катания|Catania|Catane|Catania|Catania|Katania|Katanya|卡塔尼亚|قطانية
IT|Bari||Барі|Бари|||||||巴里|باري
IT|Sorrento||Сорренто|Сорренто||Sorrente||||||
NL|Rotterdam||Роттердам|Роттердам|||||||鹿特丹|روتردام
NL|Eindhoven||Ейндговен|Эйндховен|||||||埃因霍温|آيندهوفن
BE|Antwerpen|Antwerp|Антверпен|Антверпен|Antwerpen|Anvers|Amberes|Anversa|Antwerpia|Anvers|安特卫普|أنتويرب
SE|Göteborg|Gothenburg|Гетеборг|Гётеборг|Göteborg|Göteborg|Gotemburgo|Göteborg|Göteborg|Göteborg|哥德堡|غوتنبرغ
NO|Bergen||Берген|Берген||||||||
FI|Rovaniemi||Рованіємі|Рованиеми||||||||
GR|Thessaloníki|Thessaloniki|Салоніки|Салоники|Thessaloniki|Thessalonique|Salónica|Salonicco|Saloniki|Selanik|塞萨洛尼基|سالونيك
GR|Irákleion|Heraklion|Іракліон|Ираклион|Heraklion|Héraklion|Heraclión|Heraklion|Heraklion|Heraklion|伊拉克利翁|هيراكليون
GR|Ródos|Rhodes|Родос|Родос|Rhodos|Rhodes|Rodas|Rodi|Rodos|Rodos|罗得岛|رودس
GR|Chaniá|Chania|Ханья|Ханья|Chania|La Canée|La Canea|Chania|Chania|Hanya|哈尼亚|خانية
GR|Kos||Кос|Кос|Kos|Kos|Cos|Kos|Kos|İstanköy|科斯|كوس
GR|Corfu||Корфу|Корфу|Korfu|Corfou|Corfú|Corfù|Korfu|Korfu|科孚|كورفو
HR|Split||Спліт|Сплит|Split|Split|Split|Spalato|Split|Split|斯普利特|سبليت
HR|Dubrovnik||Дубровник|Дубровник|Dubrovnik|Dubrovnik|Dubrovnik|Dubrovnik|Dubrownik|Dubrovnik|杜布罗夫尼克|دوبروفنيك
ME|Budva||Будва|Будва|Budva|Budva|Budva|Budva|Budva|Budva|布德瓦|بودفا
ME|Tivat||Тіват|Тиват||||||||
AL|Durrës||Дуррес|Дуррес|Durrës|Durrës|Durrës|Durazzo|Durrës|Dıraç|都拉斯|دراس
AL|Vlorë||Вльора|Влёра|||Vlorë|Valona||Vlorë|发罗拉|فلوره
TR|Antalya||Анталія|Анталья|Antalya|Antalya|Antalya|Antalya|Antalya|Antalya|安塔利亚|أنطاليا
TR|Ankara||Анкара|Анкара|Ankara|Ankara|Ankara|Ankara|Ankara|Ankara|安卡拉|أنقرة
TR|İzmir|Izmir|Ізмір|Измир|Izmir|Izmir|Esmirna|Smirne|Izmir|İzmir|伊兹密尔|إزمير
TR|Belek||Белек|Белек||||||Belek|贝莱克|بيليك
TR|Kemer||Кемер|Кемер|||||||凯麦尔|كيمر
TR|Side||Сіде|Сиде|||||||锡德|سيدا
TR|Alanya||Аланія|Аланья|||||||阿拉尼亚|ألانيا
TR|Bodrum||Бодрум|Бодрум|||||||博德鲁姆|بودروم
TR|Marmaris||Мармарис|Мармарис|||||||马尔马里斯|مرمريس
TR|Fethiye||Фетхіє|Фетхие|||||||费特希耶|فتحية
TR|Kuşadası|Kusadasi|Кушадаси|Кушадасы|Kuşadası|Kuşadası|Kuşadası|Kuşadası|Kuşadası|Kuşadası|库沙达瑟|كوشاداسي
TR|Manavgat||Манавгат|Манавгат|||||||马纳夫加特|مانافجات
TR|Adana||Адана|Адана|||||||阿达纳|أضنة
TR|Trabzon||Трабзон|Трабзон|Trabzon|Trébizonde|Trebisonda|Trebisonda|Trabzon|Trabzon|特拉布宗|طرابزون
TR|Bursa||Бурса|Бурса|||||||布尔萨|بورصة
EG|Hurghada||Хургада|Хургада|Hurghada|Hurghada|Hurgada|Hurghada|Hurghada|Hurgada|赫尔格达|الغردقة
EG|Sharm el-Sheikh|Sharm El Sheikh|Шарм-еш-Шейх|Шарм-эш-Шейх|Scharm asch-Schaich|Charm el-Cheikh|Sharm el-Sheij|Sharm el-Sheikh|Szarm el-Szejk|Şarm El-Şeyh|沙姆沙伊赫|شرم الشيخ
EG|Marsa Alam||Марса-Алам|Марса-Алам|||||||马萨阿拉姆|مرسى علم
EG|El Gouna||Ель-Гуна|Эль-Гуна|||||||埃尔古纳|الجونة
EG|Dahab||Дахаб|Дахаб|||||||达哈卜|دهب
EG|Alexandria||Александрія|Александрия|Alexandria|Alexandrie|Alejandría|Alessandria d'Egitto|Aleksandria|İskenderiye|亚历山大|الإسكندرية
EG|Luxor||Луксор|Луксор|Luxor|Louxor|Luxor|Luxor|Luksor|Luksor|卢克索|الأقصر
TN|Hammamet||Хаммамет|Хаммамет|||||||哈马马特|الحمامات
TN|Sousse||Сус|Сус|Sousse|Sousse|Susa|Susa|Susa|Susa|苏塞|سوسة
TN|Monastir||Монастір|Монастир|||||Monastyr||莫纳斯提尔|المنستير
MA|Marrakesh||Марракеш|Марракеш|Marrakesch|Marrakech|Marrakech|Marrakech|Marrakesz|Marakeş|马拉喀什|مراكش
MA|Agadir||Агадір|Агадир|||||||阿加迪尔|أكادير
CY|Paphos||Пафос|Пафос|Paphos|Paphos|Pafos|Pafo|Pafos|Baf|帕福斯|بافوس
CY|Limassol||Лімасол|Лимасол|Limassol|Limassol|Limasol|Limassol|Limassol|Limasol|利马索尔|ليماسول
CY|Larnaca||Ларнака|Ларнака|Larnaka|Larnaca|Lárnaca|Larnaca|Larnaka|Larnaka|拉纳卡|لارنكا
CY|Ayia Napa||Айя-Напа|Айя-Напа|Agia Napa||||||阿依纳帕|آيا نابا
AE|Abu Dhabi||Абу-Дабі|Абу-Даби|Abu Dhabi|Abou Dabi|Abu Dabi|Abu Dhabi|Abu Zabi|Abu Dabi|阿布扎比|أبوظبي
AE|Sharjah||Шарджа|Шарджа|Schardscha|Charjah|Sharjah|Sharja|Szardża|Şarika|沙迦|الشارقة
IL|Tel Aviv||Тель-Авів|Тель-Авив|Tel Aviv|Tel Aviv|Tel Aviv|Tel Aviv|Tel Awiw|Tel Aviv|特拉维夫|تل أبيب
IL|Eilat||Ейлат|Эйлат|||||Ejlat||埃拉特|إيلات
JO|Aqaba||Акаба|Акаба|||||Akaba|Akabe|亚喀巴|العقبة
GE|Batumi||Батумі|Батуми|Batumi|Batoumi|Batumi|Batumi|Batumi|Batum|巴统|باتومي
TH|Phuket||Пхукет|Пхукет|||||||普吉|فوكيت
TH|Pattaya||Паттайя|Паттайя|||||||芭提雅|باتايا
TH|Chiang Mai||Чіангмай|Чиангмай|||||||清迈|شيانغ ماي
VN|Hanoi||Ханой|Ханой|Hanoi|Hanoï|Hanói|Hanoi|Hanoi|Hanoi|河内|هانوي
VN|Nha Trang||Нячанг|Нячанг|||||||芽庄|نها ترانغ
VN|Da Nang||Дананг|Дананг|||||||岘港|دا نانغ
ID|Denpasar||Денпасар|Денпасар|||||||登巴萨|دينباسار
IN|New Delhi||Нью-Делі|Нью-Дели|Neu-Delhi|New Delhi|Nueva Delhi|Nuova Delhi|Nowe Delhi|Yeni Delhi|新德里|نيودلهي
IN|Delhi||Делі|Дели||||||||
IN|Mumbai||Мумбаї|Мумбаи|Mumbai|Bombay|Bombay|Mumbai|Mumbaj|Mumbai|孟买|مومباي
CN|Beijing||Пекін|Пекин|Peking|Pékin|Pekín|Pechino|Pekin|Pekin|北京|بكين
CN|Guangzhou||Гуанчжоу|Гуанчжоу|||Cantón|Canton|Kanton||广州|قوانغتشو
CN|Shenzhen||Шеньчжень|Шэньчжэнь|||||||深圳|شنجن
CN|Sanya||Санья|Санья|||||||三亚|سانيا
JP|Osaka||Осака|Осака|Osaka|Osaka|Osaka|Osaka|Osaka|Osaka|大阪|أوساكا
JP|Kyoto||Кіото|Киото|Kyoto|Kyoto|Kioto|Kyoto|Kioto|Kyoto|京都|كيوتو
KR|Busan||Пусан|Пусан|||||||釜山|بوسان
US|Miami||Маямі|Майами||||||||
US|San Francisco||Сан-Франциско|Сан-Франциско|||||||旧金山|سان فرانسيسكو
US|Las Vegas||Лас-Вегас|Лас-Вегас|||||||拉斯维加斯|لاس فيغاس
US|Boston||Бостон|Бостон|||||||波士顿|بوسطن
US|Washington, D.C.||Вашингтон|Вашингтон|Washington|Washington|Washington D. C.|Washington|Waszyngton|Washington|华盛顿|واشنطن
US|Orlando||Орландо|Орландо|||||||奥兰多|أورلاندو
US|Seattle||Сіетл|Сиэтл|||||||西雅图|سياتل
CA|Montréal|Montreal|Монреаль|Монреаль|Montreal|Montréal|Montreal|Montréal|Montreal|Montréal|蒙特利尔|مونتريال
BR|Rio de Janeiro||Ріо-де-Жанейро|Рио-де-Жанейро|Rio de Janeiro|Rio de Janeiro|Río de Janeiro|Rio de Janeiro|Rio de Janeiro|Rio de Janeiro|里约热内卢|ريو دي جانيرو
DO|Punta Cana||Пунта-Кана|Пунта-Кана|||||||蓬塔卡纳|بونتا كانا
CU|Varadero||Варадеро|Варадеро|||||||巴拉德罗|فاراديرو
PA|Panamá|Panama City|Панама|Панама|Panama-Stadt|Panama|Ciudad de Panamá|Panama|Panama|Panama|巴拿马城|مدينة بنما
KW|Kuwait City||Ель-Кувейт|Эль-Кувейт|Kuwait-Stadt|Koweït|Kuwait|Kuwait|Kuwejt|Kuveyt|科威特城|مدينة الكويت
QA|Doha||Доха|Доха|Doha|Doha|Doha|Doha|Doha|Doha|多哈|الدوحة
BH|Manama||Манама|Манама|Manama|Manama|Manama|Manama|Manama|Manama|麦纳麦|المنامة
SA|Jeddah||Джидда|Джидда|Dschidda|Djeddah|Yeda|Gedda|Dżudda|Cidde|吉达|جدة
MT|Valletta||Валлетта|Валлетта|Valletta|La Valette|La Valeta|La Valletta|Valletta|Valletta|瓦莱塔|فاليتا
UZ|Bukhara||Бухара|Бухара|Buchara|Boukhara|Bujará|Bukhara|Buchara|Buhara|布哈拉|بخارى
KZ|Nur-Sultan|Astana|Астана|Астана|||||||阿斯塔纳|أستانا
AU|Gold Coast||Голд-Кост|Голд-Кост|||||||黄金海岸|غولد كوست
ZA|Cape Town||Кейптаун|Кейптаун|Kapstadt|Le Cap|Ciudad del Cabo|Città del Capo|Kapsztad|Cape Town|开普敦|كيب تاون
BY|Homyel'|Gomel|Гомель|Гомель|||||Homel||戈梅利|غوميل
SA|Medina||Медина|Медина|Medina|Médine|Medina|Medina|Medyna|Medine|麦地那|المدينة المنورة
SA|Dammam||Даммам|Даммам|||||||达曼|الدمام
SA|Mecca||Мекка|Мекка|Mekka|La Mecque|La Meca|La Mecca|Mekka|Mekke|麦加|مكة المكرمة
RU|Tyumen||Тюмень|Тюмень|Tjumen|Tioumen|Tiumén|Tjumen'|Tiumeń|Tümen|秋明|تيومن
LT|Palanga||Паланга|Паланга|||||Połąga|||
KZ|Karagandy|Karaganda|Караганда|Караганда|||||||卡拉干达|كاراغندي
KZ|Shymkent||Шимкент|Шымкент|||||Szymkent||奇姆肯特|شيمكنت
KZ|Taraz||Тараз|Тараз|||||||塔拉兹|تاراز
KZ|Semey||Семей|Семей|||||||塞梅伊|
KZ|Pavlodar||Павлодар|Павлодар|||||||巴甫洛达尔|بافلودار
KZ|Ust-Kamenogorsk|Oskemen|Усть-Каменогорськ|Усть-Каменогорск||||||||
GE|Kutaisi||Кутаїсі|Кутаиси||Koutaïssi|||||库塔伊西|كوتايسي
FI|Tampere||Тампере|Тампере|||||||坦佩雷|تامبيري
RO|Craiova||Крайова|Крайова||||||||
RO|Constanţa|Constanta|Констанца|Констанца|Konstanza||Constanza|Costanza|Konstanca|Köstence|康斯坦察|كونستانتسا
PL|Radom||Радом|Радом||||||||
PL|Olsztyn||Ольштин|Ольштын||||||||
PL|Zakopane||Закопане|Закопане||||||||
PL|Sopot||Сопот|Сопот||||||||
HU|Debrecen||Дебрецен|Дебрецен|||||Debreczyn||德布勒森|دبرتسن
XK|Pristina||Приштина|Приштина|||||Prisztina|Priştine|普里什蒂纳|بريشتينا
ZA|Durban||Дурбан|Дурбан|||||||德班|ديربان
PK|Lahore||Лахор|Лахор||||||Lahor|拉合尔|لاهور
PK|Islamabad||Ісламабад|Исламабад||||||İslamabad|伊斯兰堡|إسلام آباد
UZ|Andijon|Andijan|Андижан|Андижан||||||||
LK|Colombo||Коломбо|Коломбо|||||Kolombo|Kolombo|科伦坡|كولومبو
IN|Chennai||Ченнаї|Ченнаи|||||Ćennaj||金奈|تشيناي
IN|Hyderabad||Гайдарабад|Хайдарабад|||||Hajdarabad|Haydarabad|海得拉巴|حيدر آباد
IN|Bengaluru||Бенгалуру|Бангалор|||||||班加罗尔|بنغالورو
IN|Ahmedabad||Ахмадабад|Ахмадабад|||||||艾哈迈达巴德|أحمد آباد
KG|Osh||Ош|Ош||||||Oş|奥什|أوش
CN|Xi’an|Xi'an|Сіань|Сиань|||||||西安|شيان
CN|Tianjin||Тяньцзінь|Тяньцзинь|||||||天津|تيانجين
CN|Kunming||Куньмін|Куньмин|||||||昆明|كونمينغ
CN|Hangzhou||Ханчжоу|Ханчжоу|||||||杭州|هانغتشو
CN|Chengdu||Ченду|Чэнду|||||||成都|تشنغدو
CN|Chongqing||Чунцін|Чунцин|||||||重庆|تشونغتشينغ
KR|Jeju City|Jeju|Чеджу|Чеджу|||||||济州|جيجو
JP|Nagoya||Нагоя|Нагоя|||||||名古屋|ناغويا
JP|Fukuoka||Фукуока|Фукуока|||||||福冈|فوكوكا
JP|Sapporo||Саппоро|Саппоро|||||||札幌|سابورو
IT|Genoa||Генуя|Генуя|Genua|Gênes|Génova|Genova|Genua|Cenova|热那亚|جنوة
IT|Cagliari||Кальярі|Кальяри|||||||卡利亚里|كالياري
IT|Taormina||Таорміна|Таормина||Taormine||||||
IT|Olbia||Ольбія|Ольбия||||||||
MA|Rabat||Рабат|Рабат|||||||拉巴特|الرباط
DK|Aalborg||Ольборг|Ольборг||||||||
GB|Nottingham||Ноттінгем|Ноттингем|||||||诺丁汉|
GB|Newcastle upon Tyne|Newcastle|Ньюкасл|Ньюкасл|||||||纽卡斯尔|
GB|Leeds||Лідс|Лидс|||||||利兹|ليدز
GB|Belfast||Белфаст|Белфаст|||||||贝尔法斯特|بلفاست
GB|Aberdeen||Абердин|Абердин||||||||
SE|Malmö|Malmo|Мальме|Мальмё|Malmö|Malmö|Malmö|Malmö|Malmö|Malmö|马尔默|مالمو
AT|Linz||Лінц|Линц||||||||
DE|Münster|Munster|Мюнстер|Мюнстер|Münster|Münster|Münster|Münster|Münster|Münster||
DE|Karlsruhe||Карлсруе|Карлсруэ||||||||
DE|Memmingen||Меммінген|Мемминген||||||||
DE|Paderborn||Падерборн|Падерборн||||||||
IE|Shannon||Шеннон|Шаннон||||||||
FR|Nantes||Нант|Нант|||||||南特|نانت
FR|Montpellier||Монпельє|Монпелье|||||||蒙彼利埃|مونبلييه
NO|Trondheim||Тронгейм|Тронхейм||||||||
BR|Salvador||Салвадор|Салвадор|||||||萨尔瓦多|سالفادور
BR|Belo Horizonte||Белу-Оризонті|Белу-Оризонти||||||||
MX|Guadalajara||Гвадалахара|Гвадалахара|||||||瓜达拉哈拉|غوادالاخارا
MX|Playa del Carmen||Плая-дель-Кармен|Плая-дель-Кармен||||||||
US|Atlanta||Атланта|Атланта|||||||亚特兰大|أتلانتا
US|Charlotte||Шарлотт|Шарлотт|||||||夏洛特|
US|Philadelphia||Філадельфія|Филадельфия||Philadelphie|Filadelfia|Filadelfia|Filadelfia||费城|فيلادلفيا
US|Dallas||Даллас|Даллас|||||||达拉斯|دالاس
US|Houston||Х'юстон|Хьюстон|||||||休斯敦|هيوستن
US|Minneapolis||Міннеаполіс|Миннеаполис||||||||
CA|Calgary||Калгарі|Калгари|||||||卡尔加里|كالغاري
CA|Ottawa||Оттава|Оттава|||||||渥太华|أوتاوا
CA|Edmonton||Едмонтон|Эдмонтон|||||||埃德蒙顿|إدمونتون
PH|Boracay||Боракай|Боракай|||||||长滩岛|بوراكاي
UA|Truskavets’|Truskavets|Трускавець|Трускавец|Truskawez||||Truskawiec|||
UA|Yaremche||Яремче|Яремче|||||Jaremcze|||
UA|Bukovel||Буковель|Буковель|||||||布科韦利|
UA|Zatoka||Затока|Затока||||||||
UA|Koblevo||Коблеве|Коблево||||||||
UA|Skhidnytsya|Skhidnytsia|Східниця|Сходница||||||||
UA|Cherkasy||Черкаси|Черкассы|Tscherkassy||||Czerkasy||切尔卡瑟|تشيركاسي
UA|Chernihiv||Чернігів|Чернигов|Tschernihiw|Tchernihiv|Chernígov|Černihiv|Czernihów||切尔尼戈夫|تشيرنيهيف
UA|Ternopil||Тернопіль|Тернополь|||||Tarnopol||捷尔诺波尔|تيرنوبل
UA|Lutsk||Луцьк|Луцк|Luzk|Loutsk||Luc'k|Łuck||卢茨克|لوتسك
UA|Zhytomyr||Житомир|Житомир|Schytomyr|Jytomyr|Zhitómir|Žytomyr|Żytomierz||日托米尔|جيتومير
UA|Khmelnytskyi||Хмельницький|Хмельницкий|Chmelnyzkyj||||Chmielnicki|||
UA|Kropyvnytskyi||Кропивницький|Кропивницкий||||||||
UA|Sumy||Суми|Сумы||||||||
TR|Didim||Дідім|Дидим||||||||
TR|Çeşme|Cesme|Чешме|Чешме|Çeşme|Çeşme|Çeşme|Çeşme|Çeşme|Çeşme||
TR|Göcek|Gocek|Гечек|Гёджек|Göcek|Göcek|Göcek|Göcek|Göcek|Göcek||
TR|Kaş|Kas|Каш|Каш|Kaş|Kaş|Kaş|Kaş|Kaş|Kaş||
TR|Dalyan||Дальян|Дальян||||||||
TR|Dalaman||Даламан|Даламан||||||||
TR|Ölüdeniz|Oludeniz|Олюденіз|Олюдениз|Ölüdeniz|Ölüdeniz|Ölüdeniz|Ölüdeniz|Ölüdeniz|Ölüdeniz||
TR|Tekirova||Текірова|Текирова||||||||
TR|Beldibi||Бельдібі|Бельдиби||||||||
TR|Göynük|Goynuk|Гейнюк|Гёйнюк|Göynük|Göynük|Göynük|Göynük|Göynük|Göynük||
TR|Camyuva||Чам'юва|Чамьюва|Çamyuva|Çamyuva|Çamyuva|Çamyuva|Çamyuva|Çamyuva||
TR|Kundu||Кунду|Кунду||||||||
TR|Lara||Лара|Лара||||||||
TR|Adrasan||Адрасан|Адрасан||||||||
TR|Gumbet||Гюмбет|Гюмбет|Gümbet|Gümbet|Gümbet|Gümbet|Gümbet|Gümbet||
TR|Turgutreis||Тургутрейс|Тургутрейс||||||||
TR|İçmeler|Icmeler|Ічмелер|Ичмелер|İçmeler|İçmeler|İçmeler|İçmeler|İçmeler|İçmeler||
TR|Sarigerme||Саригерме|Сарыгерме||||||Sarıgerme||
TR|Avsallar||Авсаллар|Авсаллар||||||||
TR|Okurcalar||Окурджалар|Окурджалар||||||||
TR|Konaklı|Konakli|Конакли|Конаклы||||||Konaklı||
TR|Mahmutlar||Махмутлар|Махмутлар||||||||
TR|Kızılağaç|Kizilagac|Кизилагач|Кызылагач||||||Kızılağaç||
TR|Boğazkent|Bogazkent|Богазкент|Богазкент||||||Boğazkent||
EG|Makadi Bay||Макаді-Бей|Макади Бей|||||||马卡迪湾|
EG|Safaga||Сафага|Сафага||||||||سفاجا
EG|Sahl Hasheesh||Сахль-Хашиш|Сахл-Хашиш||||||||
EG|Soma Bay||Сома-Бей|Сома Бей||||||||
EG|Taba||Таба|Таба||||||||طابا
EG|Nuweiba||Нувейба|Нувейба||||||||نويبع
EG|Marsa Matruh||Марса-Матрух|Мерса-Матрух||||||||مرسى مطروح
EG|Ain Sukhna|Ain Sokhna|Айн-Сохна|Айн-Сохна||||||||العين السخنة
EG|Al Quşayr|El Quseir|Ель-Кусейр|Эль-Кусейр||||||||القصير
EG|Aswan||Асуан|Асуан|Assuan|Assouan|Asuán|Assuan|Asuan|Asvan|阿斯旺|أسوان
AE|Ras Al Khaimah City|Ras Al Khaimah|Рас-ель-Хайма|Рас-эль-Хайма|Ra’s al-Chaima||||||哈伊马角|رأس الخيمة
AE|Al Fujairah City|Fujairah|Фуджейра|Фуджейра|||||||富查伊拉|الفجيرة
AE|Ajman City|Ajman|Аджман|Аджман|||||||阿治曼|عجمان
AE|Jumeirah||Джумейра|Джумейра||||||||جميرا
BG|Sunny Beach||Сонячний Берег|Солнечный Берег|Sonnenstrand||||Słoneczny Brzeg||阳光海滩|
BG|Golden Sands||Золоті Піски|Золотые Пески|Goldstrand|Sables d’Or|||Złote Piaski|||
BG|Albena||Албена|Албена||||||||
BG|Sozopol||Созопол|Созополь||||||||
BG|Pomorie||Поморіє|Поморие||||||||
BG|Borovets||Боровець|Боровец||||||||
BG|Pamporovo||Пампорово|Пампорово||||||||
BG|Sveti Vlas||Святий Влас|Святой Влас||||||||
GR|Faliraki||Фаліракі|Фалираки||||||||
GR|Hersonissos||Херсоніссос|Херсониссос|Chersonissos|||||||
GR|Réthymno|Rethymno|Ретимно|Ретимно||||||||
GR|Ágios Nikólaos|Agios Nikolaos|Агіос-Ніколаос|Агиос-Николаос||||||||
GR|Mýkonos|Mykonos|Міконос|Миконос|||Míkonos||||米科诺斯|ميكونوس
GR|Lindos||Ліндос|Линдос||||||||
GR|Kallithea||Каллітея|Каллифея||||||||
CY|Protaras||Протарас|Протарас||||||||
CY|Kyrenia||Кіренія|Кирения||Kyrénia||||Girne||
CY|Nicosia||Нікосія|Никосия|Nikosia|Nicosie||Nicosia|Nikozja|Lefkoşa|尼科西亚|نيقوسيا
TN|Mahdia||Махдія|Махдия||||||||المهدية
TN|Midoun||Мідун|Мидун||||||||ميدون
ES|Salou||Салоу|Салоу||||||||
ES|Lloret de Mar||Льорет-де-Мар|Льорет-де-Мар||||||||
ES|Torremolinos||Торремолінос|Торремолинос||||||||
ES|Santa Cruz de Tenerife||Санта-Крус-де-Тенерифе|Санта-Крус-де-Тенерифе||||||||
ES|Las Palmas de Gran Canaria||Лас-Пальмас|Лас-Пальмас-де-Гран-Канария||||||||
ME|Becici||Бечичі|Бечичи|Bečići|Bečići|Bečići|Bečići|Bečići|Bečići||
ME|Herceg Novi||Герцег-Нові|Герцег-Нови||||||||
ME|Kotor||Котор|Котор||||||||
ME|Ulcinj||Улцинь|Улцинь||||||||
AL|Sarandë||Саранда|Саранда||||Saranda||||
AL|Ksamil||Ксаміл|Ксамиль||||||||
HR|Pula||Пула|Пула||||Pola||||
HR|Zadar||Задар|Задар||||||||
HR|Poreč|Porec|Пореч|Пореч|Poreč|Poreč|Poreč|Parenzo|Poreč|Poreč||
HR|Rovinj||Ровінь|Ровинь||||Rovigno||||
AT|Ischgl||Ішгль|Ишгль||||||||
AT|Mayrhofen||Майргофен|Майрхофен||||||||
AT|Kitzbühel|Kitzbuhel|Кіцбюель|Кицбюэль|Kitzbühel|Kitzbühel|Kitzbühel|Kitzbühel|Kitzbühel|Kitzbühel||
FR|Chamonix||Шамоні|Шамони|||||||夏蒙尼|
FR|Courchevel||Куршевель|Куршевель||||||||
GE|Gudauri||Гудаурі|Гудаури||||||||
GE|Borjomi||Боржомі|Боржоми||||||||
GE|Kobuleti||Кобулеті|Кобулети||||||||
TH|Patong||Патонг|Патонг|||||||巴东|
TH|Karon||Карон|Карон||||||||
TH|Ban Kata|Kata|Ката|Ката||||||||
TH|Krabi||Крабі|Краби|||||||甲米|كرابي
TH|Hua Hin||Хуахін|Хуахин|||||||华欣|
TH|Ko Samui|Koh Samui|Самуї|Самуи|||||||苏梅岛|كو ساموي
TH|Khao Lak||Као-Лак|Као Лак||||||||
TH|Koh Chang||Ко-Чанг|Ко Чанг|||||||象岛|
TH|Koh Phi Phi||Пхі-Пхі|Пхи-Пхи|||||||皮皮岛|
VN|Phu Quoc||Фукуок|Фукуок|||||||富国岛|
VN|Phan Thiet||Фантхьєт|Фантьет|||||||潘切|
VN|Mui Ne||Муйне|Муйне|||||||美奈|
VN|Cam Ranh||Камрань|Камрань|||||||金兰|
ID|Nusa Dua||Нуса-Дуа|Нуса-Дуа||||||||
ID|Ubud||Убуд|Убуд|||||||乌布|أوبود
ID|Kuta||Кута|Кута|||||||库塔|
ID|Seminyak||Семіньяк|Семиньяк||||||||
LK|Bentota||Бентота|Бентота||||||||
LK|Hikkaduwa||Хіккадува|Хиккадува||||||||
LK|Negombo||Негомбо|Негомбо||||||||
LK|Unawatuna||Унаватуна|Унаватуна||||||||
IN|Calangute||Калангуте|Калангут||||||||
IN|Candolim||Кандолім|Кандолим||||||||
MV|Male||Мале|Мале||Malé|Malé||||马累|ماليه
MV|Maafushi||Маафуші|Маафуши||||||||
TZ|Nungwi||Нунгві|Нунгви||||||||
TZ|Zanzibar||Занзібар|Занзибар|Sansibar||Zanzíbar|||||
DO|Bavaro||Баваро|Баваро||Bávaro|Bávaro|Bávaro||||
DO|Boca Chica||Бока-Чика|Бока-Чика||||||||
DO|Bayahibe||Баяібе|Байяибе||||||||
CU|Cayo Coco||Кайо-Коко|Кайо-Коко||||||||
MX|Tulum||Тулум|Тулум|||||||图卢姆|
JM|Montego Bay||Монтего-Бей|Монтего-Бей|||||||蒙特哥贝|
IL|Netanya||Нетанія|Нетания||||||||
IL|Ein Bokek||Ейн-Бокек|Эйн-Бокек||||||||
SK|Jasna||Ясна|Ясна|Jasná|Jasná|Jasná|Jasná|Jasná|Jasná||
LV|Jūrmala|Jurmala|Юрмала|Юрмала|Jūrmala|Jūrmala|Jūrmala|Jūrmala|Jurmała|Jūrmala||
DE|Rostock||Росток|Росток||||||||
DE|Erfurt||Ерфурт|Эрфурт||||||||
DE|Kassel||Кассель|Кассель||||||||
AZ|Ganja||Гянджа|Гянджа|Gəncə|Gandja||||Gence|占贾|
KZ|Aktobe||Актобе|Актобе|||||||阿克托别|
`;

// Time-zone cities of the CLDR whose English name GeoNames writes otherwise: country|CLDR -> GeoNames.
export const CLDR_TO_GEONAMES = {
  'US|New York': 'New York City', 'MN|Ulaanbaatar': 'Ulan Bator', 'MO|Macao': 'Macau', 'GT|Guatemala': 'Guatemala City',
  'AR|Tucumán': 'San Miguel de Tucumán', 'MX|Ciudad Juárez': 'Juárez', 'EH|El Aaiún': 'Laayoune', 'US|Yakutat': 'Yakutat City',
};
