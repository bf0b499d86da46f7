// What travellers type for places that are called otherwise: short names of cities, their own language's, resorts by the place
// one flies to, and airports by the name that tells them from the others of their city. Only where we are certain.
// places: IATA codes, those of cities with "*" | language | names, with commas between
export const FAMILIAR = `
# cities
LED*|ru|СПб,Питер
LED*|uk|СПб,Пітер
MOW*|ru|Мск
SVX*|ru|Екб,Екат
OVB*|ru|Нск,Новосиб
VVO*|ru|Владик
MRV*|ru|Минводы,Кавминводы,КМВ
MRV*|uk|Мінводи
NYC*|en|NY,Big Apple
MLA*|en|Malta
MLA*|ru|Мальта
MLA*|uk|Мальта
LAX*|en|LA
SFO*|en|SF,Frisco
WAS*|en|DC
PHL*|en|Philly
SGN*|en|HCMC
SGN*|ru|Хошимин
SGN*|uk|Хошимін
KUL*|en|KL
HKG*|en|HK
BUE*|en|BsAs
MEX*|en|CDMX
FRA*|de|Ffm
CPH*|en|København
BUH*|en|București
BEG*|en|Beograd
GOT*|en|Göteborg
PRG*|en|Praha
LIS*|en|Lisboa
ATH*|en|Athina
ANR*|en|Antwerpen
# islands and coasts by other names
PMI*|de|Malle
PMI* IBZ* MAH*|en|Balearic Islands,Balearics
PMI* IBZ* MAH*|ru|Балеарские острова,Балеары
PMI* IBZ* MAH*|uk|Балеарські острови,Балеари
PMI* IBZ* MAH*|de|Balearen
HAV* VRA*|en|Cuba
HAV* VRA*|ru|Куба
HAV* VRA*|uk|Куба
HAV* VRA*|de|Kuba
CMB*|en|Sri Lanka
CMB*|ru|Шри-Ланка
CMB*|uk|Шрі-Ланка
REK*|de|Island
AUA*|ru|Аруба
AUA*|uk|Аруба
AGP*|en|Costa del Sol
FAO*|en|Algarve
FAO*|ru|Алгарве
FAO*|uk|Алгарве
PSA* FLR*|en|Tuscany
PSA* FLR*|ru|Тоскана
PSA* FLR*|uk|Тоскана
PSA* FLR*|de|Toskana
PSA* FLR*|it|Toscana
COK* TRV*|en|Kerala
COK* TRV*|ru|Керала
COK* TRV*|uk|Керала
# resorts
AER*|ru|Адлер,Красная Поляна,Роза Хутор
AER*|uk|Адлер,Красна Поляна
AYT*|en|Side,Kemer,Belek
AYT*|ru|Сиде,Кемер,Белек
AYT*|uk|Сіде,Кемер,Белек
GZP* AYT*|en|Alanya
GZP* AYT*|ru|Алания,Аланья
GZP* AYT*|uk|Аланія,Аланья
DLM*|en|Marmaris,Fethiye,Oludeniz
DLM*|ru|Мармарис,Фетхие,Олюдениз
DLM*|uk|Мармарис,Фетхіє,Олюденіз
VAR*|en|Golden Sands,Albena
VAR*|ru|Золотые Пески,Албена
VAR*|uk|Золоті Піски,Албена
VAR*|de|Goldstrand
BOJ*|en|Sunny Beach,Nessebar
BOJ*|ru|Солнечный Берег,Несебр
BOJ*|uk|Сонячний Берег,Несебир
BOJ*|de|Sonnenstrand
# airports
LHR|ru|Хитроу
LHR|uk|Хітроу,Гітроу
LHR|zh|希思罗
LHR|ja|ヒースロー
LHR|ar|هيثرو
LGW|ru|Гатвик
LGW|uk|Гатвік
LGW|zh|盖特威克
LGW|ja|ガトウィック
STN|ru|Станстед
STN|uk|Станстед
LTN|ru|Лутон
LTN|uk|Лутон
LCY|ru|Лондон-Сити
LCY|uk|Лондон-Сіті
CDG|ru|Шарль-де-Голль,Руасси
CDG|uk|Шарль-де-Голль,Руассі
CDG|zh|戴高乐
CDG|ja|シャルル・ド・ゴール
CDG|ar|شارل ديغول
ORY|ru|Орли
ORY|uk|Орлі
ORY|zh|奥利
ORY|ja|オルリー
BVA|ru|Бове
BVA|uk|Бове
FCO|ru|Фьюмичино
FCO|uk|Фьюмічіно,Ф'юмічіно
FCO|zh|菲乌米奇诺
FCO|ja|フィウミチーノ
FCO|ar|فيوميتشينو
CIA|ru|Чампино
CIA|uk|Чампіно
MXP|ru|Мальпенса
MXP|uk|Мальпенса
MXP|zh|马尔彭萨
MXP|ja|マルペンサ
LIN|ru|Линате
LIN|uk|Лінате
JFK|ru|Кеннеди,Джон Кеннеди
JFK|uk|Кеннеді,Джон Кеннеді
JFK|zh|肯尼迪
JFK|ja|ケネディ
JFK|ar|كينيدي
LGA|ru|Ла-Гуардия
LGA|uk|Ла-Гуардія
EWR|ru|Ньюарк
EWR|uk|Ньюарк
SVO|ru|Шереметьево
SVO|uk|Шереметьєво
SVO|zh|谢列梅捷沃
DME|ru|Домодедово
DME|uk|Домодєдово
VKO|ru|Внуково
VKO|uk|Внуково
ZIA|ru|Жуковский
ZIA|uk|Жуковський
LED|ru|Пулково
LED|uk|Пулково
SVX|ru|Кольцово
OVB|ru|Толмачёво
KBP|uk|Бориспіль
KBP|ru|Борисполь
IEV|uk|Жуляни
IEV|ru|Жуляны
SAW|ru|Сабиха Гёкчен
SAW|uk|Сабіха Гекчен
TLV|ru|Бен-Гурион
TLV|uk|Бен-Гуріон
DWC|ru|Аль-Мактум
DWC|uk|Аль-Мактум
BKK|ru|Суварнабхуми
BKK|uk|Суварнабхумі
BKK|zh|素万那普
BKK|ja|スワンナプーム
DMK|ru|Донмыанг,Дон Муанг
DMK|uk|Дон Муанг
WAW|ru|Шопен,Окенце
WAW|uk|Шопен,Окенце
WMI|ru|Модлин
WMI|uk|Модлін
VIE|ru|Швехат
VIE|uk|Швехат
BRU|ru|Завентем
BRU|uk|Завентем
CRL|ru|Шарлеруа
CRL|uk|Шарлеруа
AMS|ru|Схипхол
AMS|uk|Схіпхол,Схіпгол
MAD|ru|Барахас
MAD|uk|Барахас
BCN|ru|Эль-Прат
BCN|uk|Ель-Прат
ARN|ru|Арланда
ARN|uk|Арланда
OSL|ru|Гардермуэн
CPH|ru|Каструп
CPH|uk|Каструп
KEF|ru|Кефлавик
KEF|uk|Кефлавік
NRT|ru|Нарита
NRT|uk|Наріта
NRT|zh|成田
NRT|ja|成田
HND|ru|Ханеда
HND|uk|Ханеда
HND|zh|羽田
HND|ja|羽田
KIX|zh|关西
KIX|ja|関西
ITM|ja|伊丹
ICN|ru|Инчхон
ICN|uk|Інчхон
ICN|zh|仁川
ICN|ja|仁川
GMP|ru|Кимпхо
GMP|zh|金浦
GMP|ja|金浦
PEK|zh|首都
PKX|zh|大兴
PVG|ru|Пудун
PVG|zh|浦东
SHA|ru|Хунцяо
SHA|zh|虹桥
CAN|zh|白云
SIN|ru|Чанги
SIN|zh|樟宜
SIN|ja|チャンギ
TPE|zh|桃园
TPE|ja|桃園
RUH|ar|الملك خالد
JED|ar|الملك عبدالعزيز
`;
