// Facts about single airports.

// The airports that travellers mean first, by passengers in ordinary years: they rank first among equal names.
export const BUSIEST = `
ATL DXB DFW LHR HND DEN IST ORD LAX DEL CAN CDG ICN PVG AMS JFK MAD SIN BKK FRA SZX PEK MCO BOM MIA LAS BCN CLT SEA CGK SFO KUL
MEX EWR HKG PHX JED IAH FCO SAW MNL CTU DOH GRU AYT MUC BLR SYD BOG TPE NRT YYZ LGW KIX HAN SGN BOS FLL MSP LGA DTW CJU GMP CKG
KMG HGH XIY PHL MEL CUN LIS ORY RUH VIE DUB MAN STN ZRH CPH OSL PMI ATH BRU MXP ARN SVO DME LED WAW BER DUS HEL BUD PRG OTP TLV
CAI JNB CPT NBO ADD CMN DPS HKT AKL LIM SCL EZE PTY SSH HRG ESB ADB AGP ALC NCE KBP LWO KRK KTW GDN RIX VNO TLL SOF TBS EVN GYD
ALA TAS NQZ
`;

// Names that the package spells in an old or transliterated way: airport | name.
export const AIRPORT_NAMES = `
ODS|Odesa International Airport
DNK|Dnipro International Airport
OZH|Zaporizhzhia International Airport
CKC|Cherkasy International Airport
HMJ|Khmelnytskyi Airport
IEV|Kyiv International Airport (Zhuliany)
IFO|Ivano-Frankivsk International Airport
KCP|Kamianets-Podilskyi Airport
KGO|Kropyvnytskyi Airport
KHU|Kremenchuk Airport
KWG|Kryvyi Rih International Airport
NLV|Mykolaiv International Airport
RWN|Rivne International Airport
SEV|Sievierodonetsk Airport
TNL|Ternopil International Airport
ZTR|Zhytomyr Airport
VSG|Luhansk International Airport
DOK|Donetsk International Airport
GML|Hostomel Airport
KRQ|Kramatorsk Airport
IST|Istanbul Airport
`;

// In use, though the lists of codes do not have them yet: new airports, and heliports that helicopters of airlines serve.
export const IN_USE = `
ADK AYJ HSR DXN DHX BOR APJ JCL HWR DSY
AGM AOQ IKE IOQ IUI JCH JGO JNN JFR JHS JJU JNS JQA JSU JUV NAQ
`;

// Closed, though a list has them still.
export const NOT_IN_USE = 'TXL SXF THF NAY';
