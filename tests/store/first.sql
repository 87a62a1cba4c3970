-- session pC6hlV9uG9KkaYq6Q12JACCkqPoZcAV94wCPNp0hSdk
-- recovery StHJlnmM_dAVVj7hxLAeIfNdVd2pknUkTgsk_L-YOGQ
-- link k43B7kuG24lEiaovhxVPhaFR2jv9j1QQLEQr9-u9seI
BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE checkpoints (
	"match" VARCHAR(16) NOT NULL, 
	position INTEGER NOT NULL, 
	blocks INTEGER NOT NULL, 
	lines INTEGER NOT NULL, 
	state BLOB NOT NULL, 
	PRIMARY KEY ("match"), 
	FOREIGN KEY("match") REFERENCES matches (id)
);
INSERT INTO "checkpoints" VALUES('7nsug2ax9veb',17,2,19,X'87A2617482A47475726E02A57068617365A87265642D66697265A46C61737405A5726F756768C2A372656485A473656174A3726564A7686172626F757290A5726561647990A37365619684A36B6579A57265642D32A46E616D65A55265642032A8737472656E67746801A46C616E650184A36B6579A57265642D33A46E616D65A55265642033A8737472656E67746802A46C616E650184A36B6579A57265642D31A46E616D65A55265642031A8737472656E67746801A46C616E650184A36B6579A57265642D34A46E616D65A55265642034A8737472656E67746802A46C616E650184A36B6579A57265642D35A46E616D65A55265642035A8737472656E67746803A46C616E650184A36B6579A57265642D36A46E616D65A55265642036A8737472656E67746805A46C616E6501A46C6F73749184A36B6579A57265642D30A46E616D65A55265642030A8737472656E67746800A46C616E6501A4626C756585A473656174A4626C7565A7686172626F75729283A36B6579A6626C75652D32A46E616D65A6426C75652032A8737472656E6774680183A36B6579A6626C75652D33A46E616D65A6426C75652033A8737472656E67746802A572656164799383A36B6579A6626C75652D36A46E616D65A6426C75652036A8737472656E6774680583A36B6579A6626C75652D30A46E616D65A6426C75652030A8737472656E6774680183A36B6579A6626C75652D31A46E616D65A6426C75652031A8737472656E67746801A373656190A46C6F73749284A36B6579A6626C75652D35A46E616D65A6426C75652035A8737472656E67746800A46C616E650184A36B6579A6626C75652D34A46E616D65A6426C75652034A8737472656E67746800A46C616E6502A363757081A8636F6E74656E74739183A36B6579A9776561746865722D32A46E616D65A6737175616C6CA468617A6502A5647261776E9283A36B6579A9776561746865722D31A46E616D65A468617A65A468617A650183A36B6579A9776561746865722D30A46E616D65A5636C656172A468617A6500');
CREATE TABLE entries (
	"match" VARCHAR(16) NOT NULL, 
	n INTEGER NOT NULL, 
	undo BOOLEAN NOT NULL, 
	told TEXT NOT NULL, 
	at DOUBLE NOT NULL, 
	PRIMARY KEY ("match", n), 
	FOREIGN KEY("match") REFERENCES matches (id)
)
 WITHOUT ROWID

;
INSERT INTO "entries" VALUES('7nsug2ax9veb',1,0,'{"n":1,"seat":"blue","rule":"1","chose":["blue-6"],"block":1}',1.79525158251040744782e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',2,0,'{"n":2,"seat":"blue","rule":"1","chose":["blue-5"],"block":1}',1.79525158251698136327e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',3,0,'{"n":3,"seat":"red","rule":"1","chose":["red-2","red-3","red-0","red-1"],"block":1}',1.79525158251916694645e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',4,0,'{"n":4,"seat":"red","rule":"1","chose":[],"block":1}',1.79525158252361106874e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',5,0,'{"n":5,"seat":"red","rule":"2","chose":["red-0"]}',1.79525158252495932583e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',6,0,'{"n":6,"seat":"red","rule":"2","chose":["middle"]}',1.7952515825262112618e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',7,0,'{"n":7,"seat":"blue","rule":"2","chose":["blue-5"]}',1.79525158253175687794e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',8,0,'{"n":8,"seat":"blue","rule":"2","chose":["middle"]}',1.79525158253517436984e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',9,0,'{"n":9,"seat":"red","rule":"1","chose":["red-4","red-5"],"block":2}',1.79525158253973531725e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',10,0,'{"n":10,"seat":"red","rule":"1","chose":["red-6"],"block":2}',1.79525158254096198076e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',11,0,'{"n":11,"seat":"blue","rule":"1","chose":["blue-0","blue-1","blue-4"],"block":2}',1.79525158254213595392e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',12,0,'{"n":12,"seat":"blue","rule":"1","chose":[],"block":2}',1.79525158254765462872e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',13,0,'{"n":13,"seat":"red","rule":"2","chose":["red-2","red-3","red-1","red-4","red-5","red-6"]}',1.79525158254876875878e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',14,0,'{"n":14,"seat":"red","rule":"2","chose":["middle"]}',1.79525158254991507532e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',15,0,'{"n":15,"seat":"blue","rule":"2","chose":["blue-4"]}',1.79525158255496978761e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',16,0,'{"n":16,"seat":"blue","rule":"2","chose":["south"]}',1.79525158255640745162e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',17,0,'{"n":17,"seat":"red","rule":"4","chose":["blue-4"]}',1.79525158255759429933e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',18,0,'{"n":18,"seat":"blue","rule":"1","chose":["blue-2","blue-3"],"block":3}',1.79525158255880212788e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',19,0,'{"n":19,"seat":"blue","rule":"2","chose":["blue-0","blue-1"]}',1.79525158256408548353e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',20,1,'{"n":20,"by":"blue","undo":[19],"leave":false}',1.79525158256482505799e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',21,0,'{"n":21,"seat":"blue","rule":"2","chose":["blue-0"]}',1.79525158256627154346e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',22,0,'{"n":22,"seat":"blue","rule":"2","chose":["south"]}',1.79525158257197833063e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',23,0,'{"n":23,"seat":"blue","rule":"4","chose":["red-3"]}',1.79525158257327461241e+09);
INSERT INTO "entries" VALUES('7nsug2ax9veb',24,0,'{"n":24,"seat":"blue","rule":"2","chose":["blue-3"]}',1.79525158257431459432e+09);
CREATE TABLE log (
	"match" VARCHAR(16) NOT NULL, 
	i INTEGER NOT NULL, 
	line TEXT NOT NULL, 
	PRIMARY KEY ("match", i), 
	FOREIGN KEY("match") REFERENCES matches (id)
)
 WITHOUT ROWID

;
INSERT INTO "log" VALUES('7nsug2ax9veb',0,'{"turn":1,"phase":"prepare","rule":"1","text":"red makes Red 2, Red 3, Red 0, Red 1 ready.","to":["red"]}');
INSERT INTO "log" VALUES('7nsug2ax9veb',1,'{"turn":1,"phase":"prepare","rule":"1","text":"blue makes Blue 6, Blue 5 ready.","to":["blue"]}');
INSERT INTO "log" VALUES('7nsug2ax9veb',2,'{"turn":1,"phase":"red-sail","rule":"2","text":"red sails with Red 0 in the middle lane."}');
INSERT INTO "log" VALUES('7nsug2ax9veb',3,'{"turn":1,"phase":"blue-sail","rule":"2","text":"blue sails with Blue 5 in the middle lane."}');
INSERT INTO "log" VALUES('7nsug2ax9veb',4,'{"turn":1,"phase":"weather","rule":"3","text":"The weather: haze."}');
INSERT INTO "log" VALUES('7nsug2ax9veb',5,'{"turn":1,"phase":"red-fire","rule":"4","text":"Which ship is aimed at? Only legal choice: Blue 5.","to":["red"]}');
INSERT INTO "log" VALUES('7nsug2ax9veb',6,'{"turn":1,"phase":"red-fire","rule":"4","text":"red fires at Blue 5: 0 hits.","rolls":[{"name":"guns","faces":[[1]],"sides":6,"result":"1d6, hit on 5+, 6 rolled again: 0 hits","least":[5]}]}');
INSERT INTO "log" VALUES('7nsug2ax9veb',7,'{"turn":1,"phase":"blue-fire","rule":"4","text":"Which ship is aimed at? Only legal choice: Red 0.","to":["blue"]}');
INSERT INTO "log" VALUES('7nsug2ax9veb',8,'{"turn":1,"phase":"blue-fire","rule":"4","text":"blue fires at Red 0: 1 hit.","rolls":[{"name":"guns","faces":[[1,5,1]],"sides":6,"result":"3d6, hit on 5+, 6 rolled again: 1 hit","least":[5]}]}');
INSERT INTO "log" VALUES('7nsug2ax9veb',9,'{"turn":1,"phase":"blue-fire","rule":"5","text":"Who bears 1 hits? Only legal choice: Red 0.","to":["red"]}');
INSERT INTO "log" VALUES('7nsug2ax9veb',10,'{"turn":1,"phase":"blue-fire","rule":"5","text":"red loses Red 0."}');
INSERT INTO "log" VALUES('7nsug2ax9veb',11,'{"turn":2,"phase":"prepare","rule":"1","text":"red makes Red 4, Red 5, Red 6 ready.","to":["red"]}');
INSERT INTO "log" VALUES('7nsug2ax9veb',12,'{"turn":2,"phase":"prepare","rule":"1","text":"blue makes Blue 0, Blue 1, Blue 4 ready.","to":["blue"]}');
INSERT INTO "log" VALUES('7nsug2ax9veb',13,'{"turn":2,"phase":"red-sail","rule":"2","text":"red sails with Red 2, Red 3, Red 1, Red 4, Red 5, Red 6 in the middle lane."}');
INSERT INTO "log" VALUES('7nsug2ax9veb',14,'{"turn":2,"phase":"blue-sail","rule":"2","text":"blue sails with Blue 4 in the south."}');
INSERT INTO "log" VALUES('7nsug2ax9veb',15,'{"turn":2,"phase":"weather","rule":"3","text":"The weather: clear."}');
INSERT INTO "log" VALUES('7nsug2ax9veb',16,'{"turn":2,"phase":"red-fire","rule":"4","text":"red fires at Blue 4: 7 hits.","rolls":[{"name":"guns","faces":[[6,6,6,3,1,4,2,5,6,3,6,2,2,3],[6,2,2,4,2],[1]],"sides":6,"result":"14d6, hit on 5+, 6 rolled again: 7 hits","least":[5,6,6]}]}');
INSERT INTO "log" VALUES('7nsug2ax9veb',17,'{"turn":2,"phase":"red-fire","rule":"5","text":"Who bears 7 hits? Only legal choice: Blue 5, Blue 4.","to":["blue"]}');
INSERT INTO "log" VALUES('7nsug2ax9veb',18,'{"turn":2,"phase":"red-fire","rule":"5","text":"blue loses Blue 5, Blue 4."}');
INSERT INTO "log" VALUES('7nsug2ax9veb',19,'{"turn":3,"phase":"prepare","rule":"1","text":"red makes  ready.","to":["red"]}');
INSERT INTO "log" VALUES('7nsug2ax9veb',20,'{"turn":3,"phase":"prepare","rule":"1","text":"blue makes Blue 2, Blue 3 ready.","to":["blue"]}');
INSERT INTO "log" VALUES('7nsug2ax9veb',21,'{"turn":3,"phase":"blue-sail","rule":"2","text":"blue sails with Blue 0 in the south."}');
INSERT INTO "log" VALUES('7nsug2ax9veb',22,'{"turn":3,"phase":"weather","rule":"3","text":"The weather: squall."}');
INSERT INTO "log" VALUES('7nsug2ax9veb',23,'{"turn":3,"phase":"red-fire","rule":"4","text":"Which ship is aimed at? Only legal choice: Blue 0.","to":["red"]}');
INSERT INTO "log" VALUES('7nsug2ax9veb',24,'{"turn":3,"phase":"red-fire","rule":"4","text":"red does not find Blue 0."}');
INSERT INTO "log" VALUES('7nsug2ax9veb',25,'{"turn":3,"phase":"blue-fire","rule":"4","text":"blue does not find Red 3."}');
INSERT INTO "log" VALUES('7nsug2ax9veb',26,'{"turn":4,"phase":"prepare","rule":"1","text":"red makes  ready.","to":["red"]}');
INSERT INTO "log" VALUES('7nsug2ax9veb',27,'{"turn":4,"phase":"prepare","rule":"1","text":"blue makes  ready.","to":["blue"]}');
CREATE TABLE matches (
	id VARCHAR(16) NOT NULL, 
	host VARCHAR(16), 
	game VARCHAR(80) NOT NULL, 
	title TEXT NOT NULL, 
	version VARCHAR(80) NOT NULL, 
	scenario TEXT NOT NULL, 
	scenario_title TEXT NOT NULL, 
	own TEXT, 
	options TEXT NOT NULL, 
	pace VARCHAR(8) NOT NULL, 
	listed BOOLEAN NOT NULL, 
	guided BOOLEAN NOT NULL, 
	created DOUBLE NOT NULL, 
	changed DOUBLE NOT NULL, 
	seed TEXT, 
	secret BLOB NOT NULL, 
	fingerprint VARCHAR(64) NOT NULL, 
	begun BOOLEAN NOT NULL, 
	revision INTEGER NOT NULL, 
	turn INTEGER NOT NULL, 
	phase TEXT NOT NULL, 
	waiting TEXT NOT NULL, 
	lines INTEGER NOT NULL, 
	barrier INTEGER NOT NULL, 
	seal VARCHAR(64) NOT NULL, 
	header TEXT, 
	outcome TEXT, 
	ending TEXT, 
	record TEXT, 
	PRIMARY KEY (id), 
	FOREIGN KEY(host) REFERENCES players (id)
);
INSERT INTO "matches" VALUES('7nsug2ax9veb','8caffq5exn2p','straits','Straits','1','many','Many',NULL,'{"turns":"5","weather":"fair"}','live',1,0,1.79525158248464155198e+09,1.79525158257431459432e+09,NULL,X'69C5E51C1157B15A5B66338E60D4F5C9B49492B66FBCC1526862BA019602DB0E','6cbcba0b283e80127f539caf25e8f96c',1,24,4,'blue-sail','["blue"]',28,21,'81b4cc5cea5b8439faa289a3eab279d9','{"readyroom":1,"game":"straits","version":"1","data":"cdb5ef31147104af","scenario":"many","own":null,"options":{"turns":"5","weather":"fair"},"seats":["red","blue"],"nonces":{"red":"luck"},"fingerprint":"6cbcba0b283e80127f539caf25e8f96c","seed":null,"dice":"keyed"}',NULL,NULL,NULL);
CREATE TABLE players (
	id VARCHAR(16) NOT NULL, 
	name VARCHAR(80) NOT NULL, 
	recovery VARCHAR(64) NOT NULL, 
	since DOUBLE NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (recovery)
);
INSERT INTO "players" VALUES('8caffq5exn2p','Nimitz','5de662f057a7c7d321717e55dabe23a08d7594ce02b1e63c7b970bb61bc56f2c',1.79525158248362088197e+09);
INSERT INTO "players" VALUES('hwba4fxb2qc3','Nagumo','318d1c6ce59eeddf41a19fac512e543a562093fef402f587bde1d40323884095',1.79525158249024581911e+09);
CREATE TABLE seats (
	"match" VARCHAR(16) NOT NULL, 
	seat VARCHAR(80) NOT NULL, 
	place INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	side TEXT NOT NULL, 
	who VARCHAR(8) NOT NULL, 
	bot VARCHAR(80) NOT NULL, 
	link VARCHAR(64), 
	came DOUBLE, 
	words TEXT NOT NULL, 
	PRIMARY KEY ("match", seat), 
	FOREIGN KEY("match") REFERENCES matches (id), 
	UNIQUE (link)
);
INSERT INTO "seats" VALUES('7nsug2ax9veb','red',0,'Red','red','me','',NULL,1.79525158248573160168e+09,'luck');
INSERT INTO "seats" VALUES('7nsug2ax9veb','blue',1,'Blue','blue','friend','','5a297b16082741d066d058063f8ebc99b6cb392174aaae95403864eefba0ed1b',1.79525158249977207186e+09,'');
CREATE TABLE sessions (
	session VARCHAR(64) NOT NULL, 
	player VARCHAR(16) NOT NULL, 
	since DOUBLE NOT NULL, 
	PRIMARY KEY (session), 
	FOREIGN KEY(player) REFERENCES players (id)
);
INSERT INTO "sessions" VALUES('8d06d205158fb76ef01ecd28faf27c7930ac1a5baedc8a94f1dbd4853ec140ba','8caffq5exn2p',1.79525158248417019846e+09);
INSERT INTO "sessions" VALUES('03d95198732bb05eaf75b47876ff8f341142f48f8edbcdbf02a3ebddb3b27aa3','hwba4fxb2qc3',1.79525158249032568925e+09);
CREATE TABLE sittings (
	"match" VARCHAR(16) NOT NULL, 
	seat VARCHAR(80) NOT NULL, 
	player VARCHAR(16) NOT NULL, 
	since DOUBLE NOT NULL, 
	PRIMARY KEY ("match", seat, player), 
	FOREIGN KEY("match") REFERENCES matches (id), 
	FOREIGN KEY(player) REFERENCES players (id)
);
INSERT INTO "sittings" VALUES('7nsug2ax9veb','red','8caffq5exn2p',1.79525158248682308202e+09);
INSERT INTO "sittings" VALUES('7nsug2ax9veb','blue','hwba4fxb2qc3',1.79525158250058126455e+09);
CREATE INDEX ix_sessions_player ON sessions (player);
CREATE INDEX ix_matches_host ON matches (host);
CREATE INDEX ix_matches_listed ON matches (listed, changed);
CREATE INDEX ix_sittings_player ON sittings (player);
COMMIT;
