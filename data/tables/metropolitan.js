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

// Airports that do not stand for the town nearest to them or named in their name: airport | country | city in GeoNames.
export const AIRPORT_CITIES = `
BJV|TR|Bodrum
CXR|VN|Nha Trang
NBE|TN|Hammamet
AKL|NZ|Auckland
MRU|MU|Port Louis
BGI|BB|Bridgetown
TLV|IL|Tel Aviv
LJU|SI|Ljubljana
SKG|GR|Thessaloníki
RHO|GR|Ródos
AQJ|JO|Aqaba
SJJ|BA|Sarajevo
PSA|IT|Pisa
MLA|MT|Valletta
DPS|ID|Denpasar
KTW|PL|Katowice
KWI|KW|Kuwait City
BAH|BH|Manama
CMB|LK|Colombo
MNL|PH|Manila
PTY|PA|Panamá
LAS|US|Las Vegas
MIR|TN|Monastir
DJE|TN|Midoun
VRA|CU|Varadero
UTP|TH|Pattaya
BSL|CH|Basel
MLH|CH|Basel
RKT|AE|Ras Al Khaimah City
LPA|ES|Las Palmas de Gran Canaria
`;
