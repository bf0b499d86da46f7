// Resorts that tours are sold to: is_resort of the dict cities.
// country | names, separated by commas; "GeoNames = ours" where travellers write it otherwise. Accents do not matter.
export const RESORTS = `
AE|Ras Al Khaimah City = Ras Al Khaimah, Al Fujairah City = Fujairah, Ajman City = Ajman
TR|Belek, Kemer, Side, Alanya, Bodrum, Marmaris, Fethiye, Kuşadası = Kusadasi, Manavgat, Göcek = Gocek, Çeşme = Cesme, Kaş = Kas, Kalkan, Dalyan, Didim, Datça = Datca, Ölüdeniz = Oludeniz, Avsallar, Tekirova, Göynük = Goynuk, Okurcalar, Mahmutlar, Kızılağaç = Kizilagac, Turgutreis, İçmeler = Icmeler, Sarigerme, Boğazkent = Bogazkent
EG|Hurghada, Sharm el-Sheikh = Sharm El Sheikh, Marsa Alam, El Gouna, Dahab, Safaga, Makadi Bay, Ain Sukhna = Ain Sokhna, Al Quşayr = El Quseir
GR|Faliraki, Kos, Kardamaina, Mália = Malia, Ágios Nikólaos = Agios Nikolaos, Elounda, Réthymno = Rethymno, Chaniá = Chania, Oía = Oia, Firá = Fira, Mýkonos = Mykonos, Parga, Ialysós = Ialysos
CY|Ayia Napa, Protaras, Paphos, Limassol, Larnaca, Kyrenia
BG|Nesebar, Sozopol, Pomorie, Bansko, Sveti Vlas, Balchik, Primorsko, Obzor
TN|Hammamet, Sousse, Monastir, Mahdia, Port El Kantaoui, Midoun, Tabarka, Zarzis
MA|Agadir, Essaouira, Saidia, Tetouan
ES|Benidorm, Marbella, Torremolinos, Salou, Lloret de Mar, Calella, Tossa de Mar, Ibiza, Magaluf, Alcúdia = Alcudia, Cala d'Or, Playa de las Américas = Playa de las Americas, Puerto de la Cruz, Maspalomas, Corralejo, Costa Calma, Puerto del Carmen, Playa Blanca, Fuengirola, Nerja, Roses, Peñíscola, Sitges
PT|Albufeira, Vilamoura, Lagos, Portimão, Funchal, Cascais, Carvoeiro
IT|Rimini, Riccione, Lido di Jesolo, Bibione, Lignano Sabbiadoro, Sorrento, Taormina, Amalfi, Positano, Cefalù, Alghero, Olbia, Porto Cervo, Viareggio, Livigno, Cortina d'Ampezzo, Bormio, Sestriere, Cervia, Cattolica, Milano Marittima, Tropea, Villasimius
FR|Cannes, Saint-Tropez, Antibes, Menton, Biarritz, Deauville, Courchevel, Val Thorens, Megève, Tignes, Les Deux Alpes
AT|St. Anton am Arlberg, Mayrhofen, Sölden = Soelden, Ischgl, Kitzbühel, Zell am See, Bad Gastein, Saalbach, Lech
CH|Zermatt, Davos, St. Moritz, Verbier, Grindelwald
AD|Pas de la Casa, el Tarter
CZ|Karlovy Vary, Mariánské Lázně, Špindlerův Mlýn
PL|Zakopane, Sopot, Kołobrzeg, Świnoujście, Karpacz
UA|Truskavets, Yaremche, Zatoka, Skhidnytsya
HR|Dubrovnik, Poreč, Rovinj, Makarska, Split, Zadar, Hvar, Cavtat, Opatija, Bol, Pula
ME|Budva, Petrovac na Moru, Kotor, Herceg Novi, Ulcinj, Tivat
AL|Durrës, Sarandë, Vlorë, Ksamil, Himarë
RO|Sinaia, Eforie Nord
GE|Batumi, Gudauri, Kobuleti, Borjomi, Bakuriani, Ureki
IL|Eilat, Netanya
JO|Aqaba
TH|Phuket, Patong, Pattaya, Hua Hin, Krabi, Ko Samui = Koh Samui, Cha-am, Ban Kata = Kata
VN|Nha Trang, Phan Thiet, Da Nang, Hoi An, Vũng Tàu = Vung Tau, Cam Ranh
ID|Kuta, Nusa Dua, Ubud, Jimbaran, Senggigi, Legian
MV|Maafushi, Male
LK|Bentota, Hikkaduwa, Negombo, Unawatuna, Beruwala, Galle, Weligama, Trincomalee
IN|Calangute, Candolim, Baga, Arambol, Varkala, Kovalam
MU|Grand Baie, Flic en Flac
SC|Beau Vallon, Anse Royale
TZ|Nungwi, Kiwengwa
KE|Malindi, Mombasa
CV|Santa Maria, Sal Rei
DO|Punta Cana, Boca Chica, Puerto Plata, La Romana, Las Terrenas, Cabarete, Sosúa = Sosua, Samaná
CU|Varadero, Trinidad
MX|Cancún, Playa del Carmen, Tulum, Puerto Vallarta, Cabo San Lucas, Cozumel, Acapulco de Juárez = Acapulco, San José del Cabo, Isla Mujeres, Mazatlán
JM|Montego Bay, Negril, Ocho Ríos = Ocho Rios
BS|Freeport
AW|Oranjestad
US|Miami Beach, Key West, Aspen, Lahaina, Fort Lauderdale, Wailea, Park City, Palm Springs
BR|Porto Seguro
CN|Sanya, Beidaihe
PH|El Nido, Panglao, Coron, Puerto Princesa
MY|George Town
KH|Sihanoukville
FJ|Nadi
AU|Gold Coast, Cairns, Port Douglas, Noosa Heads, Airlie Beach, Byron Bay
LV|Jūrmala
LT|Palanga, Druskininkai
EE|Pärnu
KG|Cholpon-Ata
SI|Bled, Portorož, Kranjska Gora
MT|Sliema, San Pawl il-Baħar, Mellieħa
OM|Salalah
`;

// Resorts that GeoNames' list of places does not have, or only namesakes far away: id | country | name | lat | lng.
// The ids are ours, hence negative; a new resort gets the next one, an id is never reused.
export const EXTRA_RESORTS = `
-1|TR|Beldibi|36.7175|30.5640
-2|TR|Camyuva|36.5640|30.5680
-3|TR|Gumbet|37.0310|27.4060
-4|TR|Kundu|36.8610|30.8930
-5|TR|Lara|36.8530|30.7890
-6|TR|Adrasan|36.3130|30.4650
-7|EG|Sahl Hasheesh|27.0440|33.8900
-8|EG|Soma Bay|26.8490|33.9890
-9|EG|Taba|29.4930|34.8960
-10|EG|Nuweiba|28.9990|34.6610
-11|EG|Marsa Matruh|31.3520|27.2370
-12|AE|Jumeirah|25.2010|55.2410
-13|AE|Palm Jumeirah|25.1120|55.1390
-14|GR|Lindos|36.0920|28.0850
-15|GR|Hersonissos|35.3160|25.3930
-16|GR|Sani|40.0980|23.3110
-17|GR|Laganas|37.7330|20.8640
-18|GR|Kassiopi|39.7890|19.9210
-19|GR|Benitses|39.5470|19.9120
-20|GR|Kallithea|40.0750|23.4460
-21|GR|Paralia Katerinis|40.2680|22.5970
-22|CY|Coral Bay|34.8560|32.3690
-23|BG|Sunny Beach|42.6950|27.7100
-24|BG|Golden Sands|43.2850|28.0420
-25|BG|Albena|43.3680|28.0800
-26|BG|Borovets|42.2680|23.6060
-27|BG|Pamporovo|41.6480|24.6900
-28|TN|Houmt Souk|33.8750|10.8570
-29|ES|Los Cristianos|28.0520|-16.7160
-30|IT|Sanremo|43.8170|7.7770
-31|FR|Chamonix|45.9240|6.8690
-34|AD|Soldeu|42.5770|1.6680
-35|UA|Bukovel|48.3640|24.4230
-36|UA|Koblevo|46.6680|31.2120
-37|ME|Becici|42.2820|18.8700
-38|ME|Sveti Stefan|42.2560|18.8930
-39|RO|Mamaia|44.2520|28.6200
-40|RO|Poiana Brasov|45.5960|25.5560
-41|IL|Ein Bokek|31.2000|35.3630
-42|TH|Karon|7.8460|98.2950
-43|TH|Kamala|7.9570|98.2830
-44|TH|Ao Nang|8.0320|98.8220
-45|TH|Khao Lak|8.6380|98.2490
-46|TH|Bophut|9.5560|100.0290
-47|TH|Jomtien|12.8920|100.8720
-48|TH|Chaweng|9.5320|100.0620
-49|TH|Koh Phi Phi|7.7410|98.7730
-50|TH|Koh Chang|12.0500|102.3230
-51|VN|Mui Ne|10.9330|108.2830
-52|VN|Phu Quoc|10.2180|103.9600
-53|ID|Seminyak|-8.6910|115.1680
-54|ID|Sanur|-8.6880|115.2620
-55|ID|Canggu|-8.6480|115.1380
-56|LK|Mirissa|5.9480|80.4590
-57|IN|Palolem|15.0100|74.0230
-58|MU|Belle Mare|-20.1920|57.7720
-59|MU|Le Morne|-20.4500|57.3220
-60|MU|Trou d'Eau Douce|-20.2410|57.7880
-61|TZ|Paje|-6.2650|39.5350
-62|TZ|Jambiani|-6.3180|39.5480
-63|TZ|Kendwa|-5.7510|39.2920
-64|KE|Diani Beach|-4.2990|39.5830
-65|KE|Watamu|-3.3550|40.0190
-66|DO|Bavaro|18.6870|-68.4520
-67|DO|Juan Dolio|18.4260|-69.4230
-68|DO|Bayahibe|18.3690|-68.8390
-69|CU|Cayo Coco|22.5180|-78.3990
-70|CU|Cayo Santa Maria|22.6570|-79.0430
-71|CU|Guardalavaca|21.1240|-75.8280
-72|BS|Paradise Island|25.0830|-77.3220
-73|AW|Noord|12.5660|-70.0350
-74|BR|Buzios|-22.7470|-41.8820
-75|BR|Porto de Galinhas|-8.5040|-35.0050
-76|BR|Jericoacoara|-2.7940|-40.5140
-77|PH|Boracay|11.9670|121.9250
-78|MY|Langkawi|6.3240|99.8430
-79|MY|Batu Ferringhi|5.4720|100.2460
-80|FJ|Denarau|-17.7720|177.3760
-81|PF|Bora Bora|-16.5060|-151.7510
-82|PF|Moorea|-17.5390|-149.8300
-83|KZ|Borovoye|53.0830|70.3080
-84|KZ|Shymbulak|43.1280|77.0800
-85|KG|Bosteri|42.6490|77.1830
-86|SK|Jasna|48.9690|19.5850
-87|SK|Tatranska Lomnica|49.1650|20.2810
-88|FI|Levi|67.8040|24.8080
-89|FI|Ruka|66.1650|29.1550
-90|MT|St. Julian's|35.9180|14.4890
-91|QA|Lusail|25.4190|51.4900
-92|SN|Saly|14.4440|-17.0100
-93|GM|Kololi|13.4470|-16.7210
-94|AZ|Qabala|40.9810|47.8460
-95|TR|Konakli|36.5830|31.8830
-96|US|Vail|39.6400|-106.3740
`;
