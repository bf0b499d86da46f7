// Cities served by several airports under one IATA metropolitan code.
// code | country | city in GeoNames | its airports
export const METROPOLITAN = `
LON|GB|London|LHR LGW LCY STN LTN SEN
PAR|FR|Paris|CDG ORY BVA LBG
NYC|US|New York City|JFK LGA EWR
WAS|US|Washington, D.C.|IAD DCA BWI
CHI|US|Chicago|ORD MDW
DTT|US|Detroit|DTW DET YIP
HOU|US|Houston|IAH HOU
ORL|US|Orlando|MCO SFB
TYO|JP|Tokyo|HND NRT
OSA|JP|Osaka|KIX ITM UKB
SPK|JP|Sapporo|CTS OKD
SEL|KR|Seoul|ICN GMP
BJS|CN|Beijing|PEK PKX NAY
SHA|CN|Shanghai|SHA PVG
SIA|CN|Xi’an|XIY
CTU|CN|Chengdu|CTU TFU
TPE|TW|Taipei|TPE TSA
BKK|TH|Bangkok|BKK DMK
JKT|ID|Jakarta|CGK HLP
KUL|MY|Kuala Lumpur|KUL SZB
MOW|RU|Moscow|SVO DME VKO ZIA
IEV|UA|Kyiv|KBP IEV
ROM|IT|Rome|FCO CIA
MIL|IT|Milan|MXP LIN BGY
VCE|IT|Venice|VCE TSF
STO|SE|Stockholm|ARN BMA NYO VST
MMA|SE|Malmö|MMX
OSL|NO|Oslo|OSL TRF RYG
REK|IS|Reykjavík|KEF RKV
BRU|BE|Brussels|BRU CRL
FRA|DE|Frankfurt am Main|FRA HHN
BER|DE|Berlin|BER TXL SXF
DUS|DE|Düsseldorf|DUS NRN
GLA|GB|Glasgow|GLA PIK
BFS|GB|Belfast|BFS BHD
WAW|PL|Warsaw|WAW WMI
BUH|RO|Bucharest|OTP BBU
TCI|ES|Santa Cruz de Tenerife|TFN TFS
IST|TR|Istanbul|IST SAW ISL
ANK|TR|Ankara|ESB ANK
THR|IR|Tehran|IKA THR
DXB|AE|Dubai|DXB DWC
AUH|AE|Abu Dhabi|AUH AZI
CAI|EG|Cairo|CAI SPX
CAS|MA|Casablanca|CMN CAS
JNB|ZA|Johannesburg|JNB HLA
SAO|BR|São Paulo|GRU CGH VCP
RIO|BR|Rio de Janeiro|GIG SDU
BHZ|BR|Belo Horizonte|CNF PLU
BUE|AR|Buenos Aires|EZE AEP
MEX|MX|Mexico City|MEX NLU
SDQ|DO|Santo Domingo|SDQ JBQ
YTO|CA|Toronto|YYZ YTZ
YMQ|CA|Montréal|YUL YMX YHU
YEA|CA|Edmonton|YEG
MEL|AU|Melbourne|MEL AVV MEB
`;

// Where the lists of airports name another place than travellers do, or where a metropolitan area has a member that is the
// airport of a town of its own: airport | country | city in GeoNames, or "=" and the name of an island or region.
export const AIRPORT_CITIES = `
BJV|TR|Bodrum
NKT|TR|Şırnak
CXR|VN|Nha Trang
NBE|TN|Hammamet
DJE|TN|=Djerba
MRU|MU|Port Louis
RRG|MU|=Rodrigues
RUN|RE|Saint-Denis
SEZ|SC|=Mahé
PRI|SC|=Praslin
AQJ|JO|Aqaba
DPS|ID|Denpasar
BAH|BH|Manama
CMB|LK|Colombo
MNL|PH|Manila
CRK|PH|Angeles City
MPH|PH|=Boracay
PTY|PA|Panamá
VRA|CU|Varadero
UTP|TH|Pattaya
USM|TH|Ko Samui
BSL|CH|Basel
MLH|CH|Basel
LPA|ES|Las Palmas de Gran Canaria
FUE|ES|=Fuerteventura
ACE|ES|=Lanzarote
MAH|ES|=Menorca
GNB|FR|Grenoble
VBS|IT|Brescia
IEG|PL|Zielona Góra
SZY|PL|Olsztyn
EFL|GR|=Kefalonia
PXO|PT|=Porto Santo
TER|PT|=Terceira
SMA|PT|=Santa Maria
GRW|PT|=Graciosa
SJZ|PT|=São Jorge
SID|CV|=Sal
VXE|CV|Mindelo
GCI|GG|=Guernsey
IOM|IM|=Isle of Man
IGT|RU|Magas
FKS|JP|Fukushima
OKA|JP|Naha
KNH|TW|=Kinmen
MFK|TW|=Matsu
JZH|CN|=Jiuzhaigou
DCY|CN|=Daocheng
TCZ|CN|=Tengchong
JRO|TZ|=Kilimanjaro
GOI|IN|=Goa
GOX|IN|=Goa
SXM|SX|=Sint Maarten
ANU|AG|=Antigua
SKB|KN|=Saint Kitts
STT|VI|=Saint Thomas
STX|VI|=Saint Croix
EIS|VG|=Tortola
DOM|DM|=Dominica
BIM|BS|=Bimini
BOB|PF|=Bora Bora
HUH|PF|=Huahine
MOZ|PF|=Moorea
VAV|TO|=Vava'u
KSA|FM|=Kosrae
SCT|YE|=Socotra
IPC|CL|=Easter Island
CCK|CC|=Cocos Islands
XCH|CX|=Christmas Island
NLK|NF|=Norfolk Island
CHT|NZ|=Chatham Islands
BGY|IT|Bergamo
LTN|GB|Luton
SEN|GB|Southend-on-Sea
CRL|BE|Charleroi
TRF|NO|Sandefjord
VST|SE|Västerås
`;
