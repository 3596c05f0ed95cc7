/**
 * The words by which a user says that something is to last. They are matched against a sentence in lower case. Where a
 * word alone tells little (`the test always fails`), it counts only at the beginning of a sentence or behind a comma, or
 * beside a verb by which people lay down rules.
 */

/** The beginning of a sentence, or of what follows a place or a time in it. */
const START =
	"(?:^|[,:;，、：；]\\s*(?:and |but |und |et |y )?)(?:(?:please|bitte|s['’]il (?:te|vous) plaît|por favor|请|請),?\\s*)?(?:in (?:this|our) (?:project|repo|repository),? |in diesem projekt |dans ce projet,? |en este proyecto,? )?";

/** Verbs by which rules are laid down. */
const HABIT =
	"(?:use|prefer|avoid|stick to|follow|keep|name|write|format|sign|squash|commit|answer|reply|respond)";

function any(...patterns: readonly string[]): RegExp {
	return new RegExp(patterns.join("|"), "u");
}

/** A word of a script with spaces by itself. */
function word(alternatives: string): string {
	return `(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`;
}

export const QUESTION: RegExp = any(
	"[?？]\\s*[\"'»”)]*$",
	"^¿",
	`^${word("why|how|what|where|which|who|is|are|does|did|do(?! not)(?!n)|can|could|should (?:i|we|it)|would|will|shall")}`,
	`^${word("warum|wieso|weshalb|wie|was|wann|wo|welche[rs]?|kann|können|soll(?:en|te|ten)? (?:ich|wir|man)|müssen wir|ist|sind")}`,
	`^${word("pourquoi|comment|est-ce|quand|quel(?:le)?s?|où|peux|pouvez|faut-il|doit-on")}`,
	`^${word("por qué|cómo|qué|cuándo|dónde|cuál|puedes|deberíamos")}`,
	"吗[。！]?$|呢[。！]?$|为什么|為什麼|怎么|怎麼|是否|什么|什麼|哪[里个些]",
	"(?:です|ます|でしょう|だろう|べき)か[。]?$|なぜ|どうして",
);

/** What holds for the moment. */
export const ONE_OFF: RegExp = any(
	word(
		"now|right now|this time|for now|today|once|just this|temporarily|for the moment|yet|until|(?:i|we)['’]d prefer",
	),
	word("jetzt|diesmal|dieses mal|heute|vorerst|gerade|vorübergehend|erstmal|bis"),
	word("cette fois|pour l['’]instant|maintenant|aujourd['’]hui|pour le moment|provisoirement"),
	word("esta vez|por ahora|ahora|hoy|de momento|por el momento"),
	"它|这次|這次|这一次|现在|現在|今天|暂时|暫時|刚才|目前|这里|这个(?!项目|仓库)|那个|那里",
	"今回|今は|今だけ|とりあえず|今日|一旦|いったん|まず|この(?!プロジェクト|リポジトリ)|その|ここ",
);

/** What holds from here on, or everywhere, whatever else is said. */
export const STRONG: RegExp = any(
	word(
		"from now on|going forward|from here on|henceforth|in future|in the future,? (?:always|never|please|use)",
	),
	word("ab jetzt|ab sofort|von nun an|von jetzt an|künftig|in zukunft"),
	word("désormais|dorénavant|à partir de maintenant|à l['’]avenir"),
	word("a partir de ahora|de ahora en adelante|en adelante"),
	"以后|以後|今后|从现在起|从今以后|从现在开始",
	"今後|これからは",
);

/** How a request to do one thing begins. */
export const TASK: RegExp = any(
	`^(?:please |can you |could you )?${word("fix|debug|find|explain|show|check|look|investigate|tell|add|create|implement|make(?! sure)|update|change|remove|delete|rename|refactor|help|build|move|replace|try|test|review|see")}`,
	`^(?:bitte )?${word("behebe?|finde|erklär(?:e|en)?|zeig(?:e|en)?|prüf(?:e|en)?|schau|füge?|erstell(?:e|en)?|ergänz(?:e|en)?|baue?|entferne|lösche|ändere|aktualisiere|suche|hilf")}(?!.* (?:nie|niemals|kein|keine|keinen|nicht)(?: |$))`,
	`^${word("corrige[zr]?|trouve[zr]?|explique[zr]?|montre[zr]?|vérifie[zr]?|ajoute[zr]?|crée[zr]?|regarde[zr]?|cherche[zr]?|supprime[zr]?|change[zr]?|aide")}`,
	`^${word("arregla|corrige|busca|encuentra|explica|muestra|revisa|añade|agrega|crea|mira|elimina|cambia|ayuda|comprueba")}`,
	"^(?:请|請|帮我)?(?:修复|修改|解释|查找|找出|检查|看看|添加|创建|实现|更新|删除|帮)",
);

/** What goes wrong is told, not laid down. */
export const TROUBLE: RegExp = any(
	word("fails?|failing|failed|crash(?:es|ed|ing)?|bugs?|broken|hangs?|flaky|wrong|throws?"),
	word("fehlschlägt|schlägt|schlagen|abstürzt|stürzt|kaputt|hängt|hängen|fehler"),
	word("échoue(?:nt)?|plante(?:nt)?|cassée?s?|bogue|erreurs?"),
	word("falla|fallan|falló|rot[oa]s?|cuelga|errores"),
	"失败|失敗|崩溃|报错|出错|卡住|エラー|クラッシュ|落ち|動か|(?:直|治|修正)して",
);

/** A line of a log, what somebody else said, and jest: nothing that the user lays down. */
export const NOT_MEANT: RegExp = any(
	"^[\\[(<\\d][^\\p{L}]*(?:[tz][^\\p{L}]*)*(?:warn(?:ing)?|error|err|info|debug|fatal|trace|critical)[\\])>:|\\s-]",
	"^(?:npm |yarn |pnpm )?(?:warn(?:ing)?|error|err!?|info|debug|fatal|trace|critical)\\s?[:\\])>|]",
	word(
		"(?:he|she|they|someone|somebody|\\p{L}+) (?:asked|wondered)|(?:he|she|they|someone|somebody|people|the \\p{L}+) (?:said|says?|wrote|writes?|told|tells?|claims?|claimed|replied|answered|thinks?|suggest(?:s|ed)?)",
	),
	word(
		"(?:er|sie|jemand|\\p{L}+) (?:fragte|meinte)|(?:er|sie|jemand) (?:sagte?|sagt|schrieb|schreibt|hat (?:gefragt|gesagt))",
	),
	word(
		"(?:il|elle|ils|elles|on|quelqu['’]un) (?:m['’])?(?:a|ont) (?:demandé|dit|écrit)|(?:il|elle) (?:dit|demande)",
	),
	word("(?:él|ella|ellos|alguien|me) (?:preguntó|dijo|dice|escribió)|preguntó si"),
	"[他她](?:们)?(?:问|說|说|写道|认为)|(?:と|って)(?:聞かれ|訊かれ|言われ|言って(?:い|た)|言った)",
	word(
		"(?:ha){2,}h?|(?:he){2,}|(?:ja){2,}|lol|rofl|jk|mdr|ptdr|just kidding|(?:war )?nur (?:ein )?(?:spaß|scherz)|je plaisante|es broma",
	),
	"哈哈|呵呵|[(（]笑[)）]|[;:]-?[)d](?:\\s|$)|[😂🤣😉]",
	word("never say never|sag(?:e)? niemals nie|jamais dire jamais|nunca digas nunca"),
);

/** What must or must not be. */
export const CONSTRAINT: RegExp = any(
	// English
	`${START}(?:always|never)(?![\\p{L}-])(?! (?:mind|again))`,
	word(
		"(?:must|should|shall|may)(?: all)? (?:always|never)|(?:we|you)(?: all)? (?:always|never)(?! \\p{L}+ed(?![\\p{L}]))|(?:make sure|be sure|want (?:you|us)|like you|remember) (?:to|that \\p{L}+|you) (?:always|never)|must (?:not|never|always|stay|remain)|may only|(?:is|are) (?:forbidden|prohibited|mandatory|required)",
	),
	`${word("all|every|each|any|only|\\p{L}{3,}s")} (?:[\\p{L}\\p{N}-]+ ){0,4}must(?! have)(?![\\p{L}])`,
	`${START}(?:do not|don['’]?t|dont) (?!worry|bother|forget|hesitate|know|think|see|understand|get|want|mind|be|stop|panic|you|do (?:that|this|it))\\p{L}+`,
	`^(?:please )?${HABIT}(?![\\p{L}]).*,? always[.!]?$`,
	// German
	`${START}(?:immer|stets|nie|niemals)(?![\\p{L}-])(?! (?:wieder|noch|mehr))`,
	`^(?:bitte )?\\p{L}{3,}e (?:immer|stets|nie|niemals)(?![\\p{L}])(?! (?:noch|wieder))`,
	`${START}nicht (?!vergessen)(?:\\p{L}+ ){0,4}(?!vergessen)\\p{L}+(?:en|ern|eln)[.!]?$`,
	"^[\\p{L}\\p{N}-]+ (?:immer|stets|nie|niemals) .*\\p{L}+(?:en|ern|eln)[.!]?$",
	`^(?:bitte )?(?:verwende|nutze|benutze|nimm|committe|pushe|schreibe?|ändere|lösche|setze|ruf|halte?)(?![\\p{L}]).*${word("immer|stets|nie|niemals|kein|keine|keinen|keinem|keiner|nicht")}`,
	`${START}kein(?:e|en|er)? (?!ahnung|problem|sorge|ding|zeit|idee|lust)`,
	word(
		"(?:muss|müssen|soll|sollen|sollte|sollten) (?:immer|stets|nie|niemals)|(?:darf|dürfen) (?:nicht|nie|niemals|kein\\p{L}*|nur)|(?:ist|sind) (?:verboten|untersagt|pflicht)",
	),
	`^(?:alle|jede[rs]?|sämtliche|nur|\\p{L}{3,}(?:s|en|er|e)) (?:[\\p{L}\\p{N}-]+ ){0,3}(?:müssen|muss)(?![\\p{L}])`,
	// French
	`${START}toujours(?![\\p{L}-])`,
	`^(?:utilise[zr]?|emploie|employez|répond(?:s|ez|re)|écri(?:s|vez|re)|lance[zr]?|garde[zr]?|mets|mettez|signe[zr]?|formate[zr]?)(?![\\p{L}]).*${word("toujours")}`,
	`${START}n(?:e |['’])(?!oublie|t['’]inquiète|hésite|vous inquiétez)[^,]*${word("jamais|pas|aucune?|plus")}`,
	`${START}(?:jamais de|ne (?:jamais|pas) \\p{L}+(?:er|ir|re))`,
	word(
		"(?:doit|doivent|devez|il faut) (?:toujours|jamais)|ne (?:doit|doivent|faut) (?:jamais|pas)|(?:est|sont) (?:interdite?s?|obligatoires?)",
	),
	`^(?:tous|toutes|chaque|seule?s?|les) (?:[\\p{L}\\p{N}'’-]+ ){1,4}(?:doivent|doit)(?![\\p{L}])`,
	// Spanish
	`${START}(?:siempre|nunca|jamás)(?![\\p{L}-])`,
	`^(?:usa|utiliza|responde|contesta|escribe|mantén|ejecuta|pon|haz|firma|formatea)(?![\\p{L}]).*${word("siempre")}`,
	`${START}no (?:uses?|usar|utilices?|hagas?|toques?|cambies?|borres?|modifiques?|pongas?|añadas?|agregues?|subas?|instales?|edites?|crees|escribas?|ejecutes?|importes?|mezcles?)(?![\\p{L}])`,
	"^(?:(?:el|la|los|las) )?[\\p{L}\\p{N}-]+ (?:nunca|jamás|siempre) se (?:hacen?|usan?|escriben?|firman?|ejecutan?|suben?|ponen?|formatean?|nombran?|editan?|modifican?|borran?|cambian?|tocan?|mezclan?|fusionan?|documentan?|prueban?)(?![\\p{L}])",
	word(
		"deb(?:e|en|es|emos) (?:siempre|nunca)|no (?:debe|deben|se debe|se puede)|hay que \\p{L}+ siempre|está(?:n)? prohibid[oa]s?|(?:es|son) obligatori[oa]s?",
	),
	`^(?:todos|todas|cada|solo|los|las) (?:[\\p{L}\\p{N}-]+ ){1,4}deben?(?![\\p{L}])`,
	// Chinese
	"禁止|严禁|嚴禁|不得|不准|不许|务必|務必|绝不|從不|从不|永远不|一律",
	"(?<!你)(?:必须|必須)",
	"(?:^|[，。；：、]|请|請|中|里|以后|今后)(?:不要|别|勿)(?!担心|紧|急|忘)",
	"(?:始终|始終|总是|總是)(?=用|使用|采用|要|先|在|以|运行|写|保持|遵|添|提)",
	// Japanese
	"(?:必ず|常に|いつも|絶対に).*(?:する|すること|します|して|しろ|使う|使って|使用|書く|書いて|入れ|付け|つけ|通す|実行|ください)|(?:必ず|常に|いつも).*て[。！!]?$|(?:る|う|く|す|つ|む|ぐ|ぶ|ぬ)こと[。！!]?$",
	"(?:てはいけ(?:ない|ません)|てはなら(?:ない|ず)|ないで(?:ください|下さい|[。！!]?$)|ないこと|なければ(?:ならない|なりません|いけない)|禁止|べきではない|べきだ|べきです)",
	"(?:絶対に|決して).*ない",
);

/** What was decided, or is how things are done. */
export const DECISION: RegExp = any(
	`${START}we(?: now| always| only| will|['’]ll| have|['’]ve)? (?:use|decided|agreed|chose|settled on|go with|went with|stick to|standardi[sz]ed on)(?![\\p{L}])`,
	`${START}(?:i(?:['’]ve)? (?:have )?decided|it (?:was|is) decided|decision:)`,
	`${START}wir (?:nutzen|verwenden|benutzen|nehmen|setzen auf|haben(?=.* (?:entschieden|beschlossen|geeinigt|festgelegt)))(?![\\p{L}])`,
	`${START}(?:ich habe (?:mich )?.*entschieden|es wurde (?:entschieden|beschlossen)|entschieden(?: ist)?:|entscheidung:)`,
	`${START}(?:nous utilisons|on utilise|nous avons (?:décidé|choisi|convenu)|on a (?:décidé|choisi)|il a été décidé|décision\\s?:|j['’]ai décidé)`,
	`${START}(?:(?:nosotros )?(?:usamos|utilizamos)|hemos (?:decidido|acordado|elegido)|decidimos|acordamos|se decidió|decisión:|he decidido)`,
	"我们(?:都)?(?:用|使用|采用|决定|约定|选择)|我們(?:都)?(?:用|使用|採用|決定)|(?:^|[，。])决定(?:用|使用|采用|了)?|已决定|统一(?:用|使用|采用)|統一(?:用|使用)|改用",
	"ことに(?:した|しました|します|決めた|決めました|決まりました|なりました)|(?:を|に)(?:採用|統一)(?:した|しました|します|する)|(?:と|に)決定(?:した|しました|する)|(?:私たち|我々|うち|チーム)(?:は|では).*(?:使う|使います|使っています|使用)",
);

/** What is to be so rather than otherwise. */
export const PREFERENCE: RegExp = any(
	`${START}prefer(?![\\p{L}-])|${word("(?:i|we) (?:generally |usually |strongly |much |always )?prefer")}`,
	`${START}by default,? |^(?:please )?${HABIT}(?![\\p{L}])(?!.* (?:that|which|flag|option) ).* by default[.!]?$`,
	`^(?:please )?(?:use|prefer|avoid|stick to|follow|keep|name|write) .* in (?:this|our) (?:project|repo|repository|codebase)`,
	`${word("ich bevorzuge|wir bevorzugen")}|${START}bevorzuge|${START}standardmäßig |^(?:verwende|nutze|benutze) .*(?:standardmäßig|in diesem projekt)|^in diesem projekt (?:verwende|nutze|benutze|gilt|gelten)`,
	`${word("je préfère|nous préférons|on préfère")}|${START}(?:préfère|préférez)|${START}par défaut,? |^(?:utilise|utilisez) .*(?:par défaut|dans ce projet)|^dans ce projet,? (?:utilise|on )`,
	`${word("prefiero|preferimos")}|${START}prefiere|${START}por defecto,? |^(?:usa|utiliza) .*(?:por defecto|en este proyecto)|^en este proyecto,? (?:usa|se usa|utiliza)`,
	"优先(?:使用|用|采用|考虑)|優先(?:使用|用)|偏好|我(?:更)?喜欢|我(?:更)?倾向|默认(?:使用|用|采用|情况下|以)|預設(?:使用|用)|(?:本|这个|該)项目(?:中|里)?(?:使用|用|采用|统一|遵循)|始终|总是用",
	"このプロジェクトで(?:は|使)|このリポジトリで(?:は|使)|デフォルトで(?:は)?|原則(?:として)?|(?:の(?:方|ほう))?が好き|を好(?:む|みます)|優先(?:する|して|します)",
);
