// How many departure cities a country has: country and number, together 300. The largest cities with airports are taken.
export const DEPARTURES = `
UA 13 PL 12 DE 18 CZ 3 SK 2 HU 2 RO 6 BG 3 MD 1 LT 3 LV 1 EE 1 BY 2 RU 16 KZ 9 UZ 4 GE 3 AM 1 AZ 2 KG 2 TJ 1 TM 1
AT 4 CH 3 IT 9 FR 9 ES 7 PT 3 GB 12 IE 2 NL 3 BE 2 LU 1 DK 2 SE 3 NO 3 FI 2 IS 1 RS 1 HR 2 SI 1 BA 1 MK 1 AL 1 XK 1 ME 1
GR 2 TR 7 CY 1 MT 1 IL 1 AE 2 SA 4 QA 1 KW 1 BH 1 OM 1 JO 1 LB 1 EG 2 MA 2 TN 1 DZ 1 ZA 3 KE 1 NG 1 ET 1
US 18 CA 6 MX 3 BR 4 AR 1 CL 1 CO 1 PE 1 PA 1
CN 10 HK 1 TW 1 JP 5 KR 2 MN 1 IN 7 PK 3 BD 1 LK 1 NP 1 TH 2 VN 2 MY 1 SG 1 ID 1 PH 1 AU 5 NZ 1
`;

// Airports that no tour has started from for years: closed by war or without airlines.
export const NO_DEPARTURES = 'DOK VSG MPW SIP MGL MHG LBC';
