/** One expression out of many alternatives, so that they can be written as a list. */
function anyOf(alternatives: readonly string[], before = "", after = ""): RegExp {
  return new RegExp(`${before}(?:${alternatives.join("|")})${after}`);
}

const START_CALLS = [
  "\\bsystem",
  "\\bpopen\\d?",
  "\\bexec(?:Sync|File|FileSync|l|le|lp|lpe|v|ve|vp|vpe)?",
  "\\bspawn(?:Sync|l|v|lp|vp)?",
  "\\bsubprocess\\.\\w+",
  "\\bos\\.execute",
  "\\bcheck_(?:output|call)",
  "\\bget(?:status)?output",
  "\\b(?:shell_exec|passthru|proc_open)",
  "\\b(?:Kernel|Open3)\\.\\w+",
  "\\bos\\.(?:exec\\w*|spawn\\w*|startfile)",
  "\\bBun\\.(?:spawn\\w*|\\$)",
  "\\bDeno\\.(?:run|Command)",
  "\\bdo shell script",
  "\\bqx",
  "\\$",
];

/** Ends with a call that starts a program, right before its first string. */
export const BEFORE_COMMAND = anyOf(START_CALLS, "", "\\s*[({[\\s]*(?:\\[\\s*)?$");

/** Code that starts other programs, one way or another. */
export const STARTS_PROGRAMS =
  /subprocess|child_process|\bPopen\b|popen|\bexec(?!ut)\w*|\bos\.execute\b|\bsystem\b|\bspawn\w*|shell|\bqx\b|Open3|Process\./;

/** A call that finds files: those of a folder, or those that fit a glob. */
export const FINDS_FILES = new RegExp(
  [
    String.raw`\b(?:(?:os\.)?f?walk(?:Sync|dir)?|listdir|scandir|iterdir|i?r?glob\w*|readdir\w*|readDir\w*|opendir\w*|Dir|Find\.find|chdir)(?=\s*(?:[([.:"']|[A-Z]\w*\b|\$\w))`,
    String.raw`\bfind(?=\s*\(\s*(?:sub\b|\\|\{))|\b(?:File::Find|(?:Recursive)?DirectoryIterator|fast-glob)\b`,
    String.raw`<(?=[^<>\s()]{0,200}[*?][^<>\s()]{0,200}>)`,
  ].join("|"),
  "g",
);

/** What takes the content of a file, whichever that is. */
export const READS_CONTENT =
  /\bopen(?!dir)\w*|\.read\b|\bread(?:_text|_bytes|_to_string|File\w*|TextFile\w*|lines|file|_csv|_json)\b|\bFile\.(?:read|open|foreach)|\bIO\.\w*read|file_get_contents|\bfopen\b|\bfile\s*\(|createReadStream|\bcopy\w*|<\$?\w*>|fileinput|linecache/;
/** The arguments of a call that moves something computed to a name that is always the same. */
const TO_ONE_NAME =
  "(?=\\s*\\(?\\s*[^(),\\n]{0,80}[+%`$\\w][^(),\\n]{0,40},\\s*[\"'][^\"'{}$\\n]{0,200}[\"']\\s*\\)?)";

/** A call that deletes files, or drops tables. */
export const DELETE_CALL = anyOf([
  "\\b(?:rmtree|os\\.(?:remove|unlink|rmdir|removedirs|truncate|RemoveAll))\\b",
  "\\b(?:unlink|rm|rmdir|truncate|remove|emptyDir)Sync\\b",
  "\\b(?:unlink|rmdir|rm_rf?|rm_f|remove_all|remove_(?:dir|entry|tree)\\w*|send2trash|emptyDir|rimraf)\\b",
  "\\bFileUtils\\.(?:rm|remove)\\w*",
  "\\b(?:File\\.delete|Dir\\.(?:delete|rmdir|unlink)|Deno\\.remove\\w*|Remove-Item)\\b",
  "\\b(?:fs|fsp|promises)\\.(?:rm|rmdir|unlink)\\b",
  "\\.(?:rm|rmdir|unlink|remove_tree)\\s*\\(",
  "\\brm(?=\\s*\\()",
  "\\bfile\\s+delete\\b|\\bfile\\.remove\\b|\\bos\\.remove\\b|\\bfs::remove_\\w+",
  // Emptied: opened to be written, and closed.
  "\\bopen(?=\\s*\\([^()\\n]{0,200}[\"']w[bt+]{0,2}[\"']\\s*\\)\\s*\\.(?:close|truncate))",
  "\\bdelete-(?:file|directory)\\b|(?<![.\\w])delete(?=\\s*\\(\\s*[\"'])",
  // Many files get one name, so that only the last is left.
  `\\b(?:os\\.(?:rename|replace)|shutil\\.move|renameSync|File\\.rename|FileUtils\\.mv)${TO_ONE_NAME}(?:(?<=\\b(?:for|forEach|map|each)\\b[^\\n]{0,200})|(?=[^\\n]{0,200}\\bfor\\b))`,
  "\\btruncate(?=\\s*\\(?\\s*[\"'])",
  "\\b(?:DROP\\s+(?:TABLE|DATABASE|SCHEMA)|drop_all|dropDatabase)\\b",
]);

/** Code that writes to files, or moves them. */
export const WRITES = anyOf([
  "\\bopen\\w*\\s*\\([^()\\n]{0,300}(?:\\([^()\\n]{0,300}\\)[^()\\n]{0,100})?,\\s*(?:mode\\s*=\\s*|flags\\s*:\\s*)?[\"'](?:[wax]|r\\w?\\+|\\+?>)",
  "\\bopen\\b[^;\\n]{0,80}[\"']\\+?>",
  "\\b(?:fs|fsp|promises)\\.(?:write|append|copy|cp|rename|symlink|link|createWrite)\\w*",
  "\\b(?:write|append|copy|output)File(?:Sync)?\\b|\\b(?:rename|cp|symlink|link)Sync\\b|\\bcreateWriteStream\\b",
  "\\b(?:write_text|write_bytes|file_put_contents|fputs|fwrite)\\b|\\bshutil\\.\\w+|\\bos\\.(?:rename|replace|link|symlink)\\b|\\bO_(?:WRONLY|RDWR|CREAT|TRUNC)\\b",
  "\\b(?:File|IO)\\.(?:bin)?write\\b|\\bFileUtils\\.\\w+|\\b(?:Set|Add|Clear)-Content\\b|\\bOut-File\\b",
  "\\b(?:Bun\\.write|Deno\\.(?:write|copy|rename)\\w*|write-(?:region|file)|(?:rename|copy)-file)\\b",
  "\\bprintf?\\b[^\\n|]{0,200}>\\s*[\"']",
]);

/** Code that opens a connection. */
export const NETWORK_USE = anyOf([
  "\\b(?:urllib|urlopen|urlretrieve|httpx|aiohttp|http\\.client|smtplib|ftplib|paramiko|telnetlib|socket\\.)",
  "\\brequests\\.(?:get|post|put|patch|request|Session)",
  "\\bimport\\s+(?:socket|requests|http|smtplib|ftplib)\\b",
  "\\b(?:fetch|got|request|mail)\\s*\\(",
  "\\b(?:https?\\.(?:get|request|Agent)|axios|net\\.(?:connect|Socket|createConnection)|dns\\.(?:lookup|resolve))",
  "\\b(?:WebSocket|XMLHttpRequest|dgram)",
  "\\brequire\\s*(?:\\(\\s*)?[\"'](?:node:)?(?:https?|http2|net|tls|dgram|dns|ws|axios|node-fetch|got|undici|net/http|socket|open-uri)[\"']",
  "\\b(?:Net::HTTP|Net::FTP|open-uri|TCPSocket|UDPSocket|URI\\.open|IO::Socket|LWP|HTTP::Tiny|WWW::|Socket)",
  "\\b(?:fsockopen|curl_(?:init|exec)|stream_socket_client|gethostbyname|getaddrinfo)",
  "\\bfile_get_contents\\s*\\(\\s*[\"']https?",
  "/inet/(?:tcp|udp)",
  "\\b(?:get|getstore|getprint)\\s*\\(\\s*[\"']https?:",
  "\\b(?:Invoke-WebRequest|Invoke-RestMethod|Net\\.WebClient|DownloadString|iwr|irm)\\b",
]);

/** Code that surely connects, whatever the address; an import alone does not. */
export const CONNECTS = anyOf([
  "\\b(?:urlopen|urlretrieve|create_connection|getaddrinfo|gethostbyname|fsockopen|curl_exec|stream_socket_client)\\s*\\(",
  "\\b(?:requests|httpx|axios|got|ky|superagent)\\.(?:get|post|put|patch|delete|head|request)\\s*\\(",
  "(?<![.\\w])fetch\\s*\\(",
  "\\bhttps?\\.(?:get|request)\\s*\\(|\\bnet\\.(?:connect|createConnection)\\s*\\(|\\bnew\\s+WebSocket\\b",
  "\\bsocket\\b[^]{0,400}\\.?\\bconnect(?:_ex)?\\s*\\(|\\bhttp\\.client\\.HTTPS?Connection|\\b(?:SMTP|FTP|Telnet)(?:_SSL|_TLS)?\\s*\\(",
  "\\b(?:TCPSocket|UDPSocket)\\.(?:new|open)|\\bNet::HTTP\\.|\\bURI\\.open|\\bIO::Socket::INET|\\bLWP::|\\bHTTP::Tiny",
  "\\b(?:get|getstore|getprint|file_get_contents)\\s*\\(\\s*[\"']https?:",
  "/inet/(?:tcp|udp)|\\b(?:Invoke-WebRequest|Invoke-RestMethod|DownloadString|iwr|irm)\\b|\\b(?:download\\.file|socketConnection)\\s*\\(",
]);

/** Code that runs text: with a connection, what it runs came over that. */
export const RUNS_TEXT = anyOf([
  "(?<![.\\w])(?:exec|eval|loadstring|instance_eval|class_eval|runInThisContext|runInNewContext)\\b",
  "\\bnew\\s+Function\\b|\\bvm\\.run\\w*|\\bbuiltins\\.(?:exec|eval)|\\b(?:runpy|importlib)\\.\\w+",
  "\\bsource\\s*\\(\\s*[\"']https?:|\\bInvoke-Expression\\b|\\biex\\b",
]);

/** Code that starts what it computes: the call is followed by neither a string nor a list. */
export const STARTS_COMPUTED =
  /\b(?:os\.(?:system|popen|execute)|IO\.popen|popen|system|shell_exec|passthru|execSync|exec|spawn|Open3\.\w+)\s*\(\s*[A-Za-z_$][\w.$]*\s*[,)]/;

/** What awk starts that is no string: `system($0)`, `print | command`, `command | getline`. The name is in a group. */
export const AWK_STARTS_COMPUTED =
  /\bsystem\s*\(\s*(?:([A-Za-z_]\w*)\s*\)|(?!["\s]))|[^|]\|&?\s*(?!getline\b)(?:([A-Za-z_]\w*)|[$(])|(?:\b([A-Za-z_]\w*)|[^"\s\w])\s*\|&?\s*getline/g;

/** Code that prints, or whose interpreter prints the value. */
export const PRINTS =
  /\b(?:print|println|printf|puts|pp|echo|console\.\w+|std(?:out|err)\.write|say|warn|var_dump|print_r|inspect|cat|write|dump\w*)\b|(?:^|[;\s])p\s+ENV/;

/** What surrounds a variable of which only the presence or length is asked. */
export const ASKED_BEFORE =
  /(?:!|\bbool\(|\bBoolean\(|\blen\(|\bnot\s|\bif\s?\(?|\bin\s|\btypeof\s|\bdefined\s?\(?)\s*$/;
export const ASKED_AFTER = /^["'\])}]*\s*(?:\?(?!\.)|\.length\b|\bis\b|[!=]=|&&|\.(?:nil|empty|present)\?)/;

/** Code that runs text which it decodes, loads or puts together. */
export const RUNS_COMPUTED_TEXT = anyOf([
  `\\b(?:exec|eval|compile|Function|system|popen|run|call|Popen|check_output|execSync|spawn)\\s*\\(\\s*(?:\\w+\\s*\\(\\s*)?(?:${[
    "base64|codecs|zlib|bytes|bytearray|atob|Buffer|requests|urllib|marshal|gzip|chr\\(|String\\.fromCharCode",
    "__import__\\(['\"](?:base64|codecs|zlib)",
    "[\"']{2}\\.join|[\"'][^\"'\\n]{0,40}[\"']\\s*\\.\\s*join",
    "\\(?await\\s+fetch",
  ].join("|")})`,
  "\\beval\\s*(?:\\{|pack\\b|decode|base64)",
]);

/** Code that decodes text. */
export const DECODES = /b64decode|base64|atob|unpack|fromhex|decode64|MIME::Base64/;

/** Code that takes over a socket as a terminal. */
export const TAKES_SOCKET = /\b(?:dup2|pty\.spawn|exec[lv]p?e?)\b/;

/** A string that names a shell. */
export const SHELL_PROGRAM = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da|k|c)?sh(?:\s+-i\b.*)?$/;

/** The name of a variable that code takes from the environment. */
export const ENVIRONMENT_NAME =
  /(?:environ(?:\.get\(|\[)|getenv\(|process\.env(?:\.|\[)|\bENV(?:\[|\.fetch\()|\$ENV\{|\$_ENV\[|Deno\.env\.get\(|Sys\.getenv\(|ENVIRON\[|\$env:)\s*["']?([A-Za-z_]\w*)/g;

/** Code that takes the environment as a whole. */
export const WHOLE_ENVIRONMENT = anyOf([
  "(?<!\\bin )\\bos\\.environ(?!\\s*[.[]\\s*(?:get|\\w*[\"'\\w]))",
  "(?<!\\bkeys\\(|\\bin )\\bprocess\\.env(?!\\s*[.[])",
  "\\bENV\\.(?:to_h|inspect)|%ENV\\b|\\$_SERVER\\b|\\bprintenv\\b",
  "\\bSys\\.getenv\\(\\)|\\bgetenv\\(\\)|\\bputs ENV\\b(?!\\s*[.[])|\\bp ENV\\b(?!\\s*[.[])",
  "\\bdict\\(os\\.environ|\\benviron\\.(?:items|copy)|\\bDeno\\.env\\.toObject",
]);

/** A call that gives a statement to a database. */
export const RUNS_STATEMENT =
  /\b(?:execute\w*|exec\w*|query\w*|\$\w*Raw\w*|raw|run|prepare|text|sql|do|all|select_all|connection)\b\s*[(`"']|\bsql`/i;

/** Everything of a kind goes: rows by way of an object mapper, or what a cloud or a store keeps. */
export const DELETES_ALL = anyOf([
  "\\.deleteMany\\s*\\(\\s*(?:\\{\\s*(?:where\\s*:\\s*\\{\\s*\\}\\s*,?\\s*)?\\}\\s*)?\\)",
  "\\.delete_many\\s*\\(\\s*(?:\\{\\s*\\}\\s*)?\\)",
  "\\.(?:objects|all\\(\\)|query\\([^()\\n]{0,80}\\)|query)(?:\\.all\\(\\))?\\.(?:delete|remove)\\s*\\(\\s*\\)",
  "\\.(?:object_versions|objects)(?:\\.all\\(\\))?\\.delete\\s*\\(",
  "\\(\\s*[\"'`]\\w+[\"'`]\\s*\\)\\.(?:del|delete|truncate)\\s*\\(\\s*\\)",
  "\\b(?:destroy_all|delete_all|truncate_tables)\\b|::truncate\\s*\\(",
  "\\.destroy\\s*\\(\\s*\\{[^{}\\n]{0,80}(?:where\\s*:\\s*\\{\\s*\\}|truncate\\s*:\\s*true)",
  "\\bsync\\s*\\(\\s*\\{\\s*force\\s*:\\s*true|\\bsynchronize\\s*\\(\\s*true",
  "\\b(?:delete_(?:bucket|objects|table|db_instance|db_cluster|stack|cluster|user_pool|namespaced?\\w*|collection|index|queue|topic|secret|file_system|volume)|terminate_instances|purge_queue|schedule_key_deletion)\\s*\\(",
  "\\b(?:DeleteBucket|DeleteObjects|DeleteTable|DeleteDBInstance|DeleteDBCluster|DeleteStack|DeleteCluster|TerminateInstances|DeleteSecret|DeleteUserPool|PurgeQueue)Command\\b",
  "\\b(?:deleteBucket|deleteFiles|deleteCollection|deleteIndex|deleteTable|recursiveDelete)\\s*\\(|\\bbucket\\.delete\\s*\\(",
  "\\bindices\\.delete\\s*\\(|\\bdelete_by_query\\s*\\(|\\bdeleteByQuery\\s*\\(",
  "\\b(?:drop_(?:all|collection|database|table)|drop(?:Database|Collection|Table|Schema|AllTables))\\s*\\(|\\.drop\\s*\\(\\s*\\)",
  "\\b(?:flushall|flushdb|flushAll|flushDb|flushDB)\\s*\\(",
  "\\b(?:requests|httpx|axios)\\.delete\\s*\\(\\s*f?[\"'`]https?://(?!localhost|127\\.|0\\.0\\.0\\.0)",
]);
