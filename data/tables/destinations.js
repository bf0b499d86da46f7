// How many cities of a country are offered as destinations, its resorts (see resorts.js) included: country and number.
// Large numbers where tours are sold most; together about 3,000.
export const DESTINATIONS = `
TR 130 EG 60 GR 85 ES 110 IT 100 FR 80 DE 60 AT 60 CH 40 CY 20 BG 60 HR 45 ME 16 AL 20 RO 40 HU 30 CZ 40 PL 55 SK 25 SI 16
UA 45 MD 6 LT 14 LV 12 EE 10 BY 12 RU 50 GE 25 AM 10 AZ 14 KZ 25 UZ 15 KG 8 TJ 4 RS 18 BA 10 MK 8 XK 4 MT 10 AD 5 MC 1 SM 1
PT 45 GB 60 IE 20 NL 30 BE 25 LU 3 DK 18 SE 25 NO 25 FI 20 IS 8 AE 12 SA 20 QA 4 KW 3 BH 3 OM 10 JO 10 LB 8 IL 25 IR 15
TN 30 MA 30 DZ 10 KE 14 TZ 20 ZA 35 NA 6 MU 14 SC 4 MV 20 MG 6 RE 5 CV 5 SN 6 GM 3 GH 5 NG 8 ET 5 UG 4 RW 3 ZW 5 BW 3 ZM 3
IN 70 LK 30 NP 8 BD 6 PK 10 TH 60 VN 45 ID 50 MY 35 SG 1 PH 35 KH 10 LA 6 MM 8 CN 60 HK 1 MO 1 TW 15 JP 50 KR 30 MN 4
US 100 CA 40 MX 55 CU 25 DO 25 JM 10 BS 4 BB 2 AW 3 CW 1 LC 2 PA 8 CR 12 GT 6 BR 50 AR 30 CL 18 PE 20 CO 20 EC 12 BO 6 UY 8 VE 8
AU 45 NZ 20 FJ 6 PF 4
`;

// Large in GeoNames, but no destinations: errors of its population figures, parts of a city, war zones.
// country | names, separated by commas
export const NO_DESTINATIONS = `
US|Ironville, Meads, Garland, Plano, Henderson, Aurora, Lexington
ES|Campiña
TR|Muratpaşa, Merkezefendi, Körfez, Derince, Esenyurt, Beylikdüzü, Büyükçekmece
HK|Yuen Long Kau Hui
CN|Guankou, Tongshan, Dadonghai
UA|Donetsk, Luhansk, Makiyivka, Horlivka, Yenakiyeve, Krasnyy Luch, Alchevs’k, Syevyerodonets’k, Lysychans’k, Mariupol, Kramators’k, Sloviansk, Kostyantynivka, Melitopol, Berdyansk, Nikopol, Kerch, Simferopol, Sevastopol, Yevpatoriya, Bakhmut, Kadiyivka
AE|Khalifah A City, Bani Yas City, Musaffah, Reef Al Fujairah City, Al Shamkhah City, Adh Dhayd, Bani Yas
`;
