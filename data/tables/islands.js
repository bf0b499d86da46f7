// Islands and coasts by which travellers name a place that is called otherwise: Bali is Denpasar.
// codes of the cities, commonest first | en | uk | ru | de | fr | es | it | pl | tr | zh | ar | ja
// Several names of one language stand with commas between. An empty cell: as in English, or not known with certainty.
export const ISLANDS = `
DPS|Bali|Балі|Бали|||||||巴厘岛,巴厘|بالي|バリ島,バリ
LOP|Lombok|Ломбок|Ломбок|||||||龙目岛|لومبوك|ロンボク島
HER CHQ|Crete|Крит|Крит|Kreta|Crète|Creta|Creta|Kreta|Girit|克里特岛,克里特|كريت|クレタ島,クレタ
RHO|Rhodes|Родос|Родос|Rhodos|Rhodes|Rodas|Rodi|Rodos|Rodos|罗得岛|رودس|ロードス島
KGS|Kos|Кос|Кос|Kos|Kos|Cos|Coo|Kos|İstanköy|科斯岛|كوس|コス島
CFU|Corfu|Корфу|Корфу|Korfu|Corfou|Corfú|Corfù|Korfu|Korfu|科孚岛|كورفو|コルフ島
JTR|Santorini|Санторіні|Санторини|Santorin|Santorin||||Santorini|圣托里尼|سانتوريني|サントリーニ島
JMK|Mykonos|Міконос|Миконос|||||||米科诺斯岛|ميكونوس|ミコノス島
ZTH|Zakynthos,Zante|Закінф|Закинф|||||||扎金索斯岛||ザキントス島
EFL|Kefalonia,Cephalonia|Кефалонія|Кефалония||||Cefalonia||||
PMI|Mallorca,Majorca|Майорка,Мальорка|Майорка,Мальорка||Majorque||Maiorca|Majorka|Mayorka|马略卡岛,马略卡|مايوركا|マヨルカ島,マヨルカ
MAH|Menorca,Minorca|Менорка|Менорка||Minorque||||Menorka|梅诺卡岛|مينوركا|メノルカ島
IBZ|Ibiza|Ібіца|Ибица||||||||إيبيزا|イビサ島,イビザ
LPA TCI ACE FUE SPC|Canary Islands,Canaries|Канарські острови,Канари|Канарские острова,Канары|Kanarische Inseln,Kanaren|Îles Canaries|Islas Canarias,Canarias|Isole Canarie|Wyspy Kanaryjskie|Kanarya Adaları|加那利群岛|جزر الكناري|カナリア諸島
TCI|Tenerife|Тенерифе|Тенерифе|Teneriffa|Ténérife|||Teneryfa||特内里费岛,特内里费|تينيريفي|テネリフェ島,テネリフェ
LPA|Gran Canaria|Гран-Канарія|Гран-Канария|||||||大加那利岛||グラン・カナリア島
ACE|Lanzarote|Лансароте|Лансароте|||||||兰萨罗特岛||ランサローテ島
FUE|Fuerteventura|Фуертевентура|Фуэртевентура|||||||||
NCE|French Riviera,Cote d'Azur|Лазурний берег|Лазурный берег|||Costa Azul|Costa Azzurra|Lazurowe Wybrzeże||蔚蓝海岸||コート・ダジュール
AJA BIA|Corsica|Корсика|Корсика|Korsika|Corse|Córcega||Korsyka|Korsika|科西嘉岛|كورسيكا|コルシカ島,コルシカ
CTA PMO|Sicily|Сицилія|Сицилия|Sizilien|Sicile|Sicilia||Sycylia|Sicilya|西西里岛,西西里|صقلية|シチリア島,シチリア
CAG OLB AHO|Sardinia|Сардинія|Сардиния|Sardinien|Sardaigne|Cerdeña|Sardegna|Sardynia|Sardinya|撒丁岛|سردينيا|サルデーニャ島,サルデーニャ
FNC|Madeira|Мадейра|Мадейра||Madère||Madera|Madera||马德拉岛,马德拉|ماديرا|マデイラ島,マデイラ
PDL|Azores|Азорські острови,Азори|Азорские острова,Азоры|Azoren|Açores||Azzorre|Azory|Azorlar|亚速尔群岛|جزر الأزور|アゾレス諸島
DJE|Djerba|Джерба|Джерба|||||||杰尔巴岛|جربة|ジェルバ島
ZNZ|Zanzibar|Занзібар|Занзибар|Sansibar||Zanzíbar||||桑给巴尔|زنجبار|ザンジバル
GOI GOX|Goa|Гоа|Гоа|||||||果阿|غوا|ゴア
HKT|Phuket|Пхукет|Пхукет||||||||بوكيت|プーケット
USM|Koh Samui,Samui|Самуї,Ко Самуї|Самуи,Ко Самуи|||||||苏梅岛|كو ساموي|サムイ島
LGK|Langkawi|Лангкаві|Лангкави|||||||兰卡威|لنكاوي|ランカウイ島,ランカウイ
PEN|Penang|Пенанг|Пенанг|||||||槟城|بينانغ|ペナン島,ペナン
PQC|Phu Quoc|Фукуок|Фукуок|||||||富国岛||フーコック島
MPH KLO|Boracay|Боракай|Боракай|||||||长滩岛|بوراكاي|ボラカイ島
SYX HAK|Hainan|Хайнань|Хайнань|||||||海南岛,海南|هاينان|海南島
OKA|Okinawa|Окінава|Окинава|||||||冲绳|أوكيناوا|沖縄
HNL OGG KOA LIH|Hawaii|Гаваї|Гавайи|||Hawái||||夏威夷|هاواي|ハワイ
HNL|Oahu|Оаху|Оаху|||||||||オアフ島
OGG|Maui|Мауї|Мауи|||||||茂宜岛||マウイ島
LIH|Kauai|Кауаї|Кауаи|||||||||カウアイ島
PPT|Tahiti|Таїті|Таити|||||||大溪地|تاهيتي|タヒチ
`;
