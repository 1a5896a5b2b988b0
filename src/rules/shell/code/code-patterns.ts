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
  /subprocess|child_process|\bPopen\b|popen|\bexec\w*|\bsystem\b|\bspawn\w*|shell|\bqx\b|Open3|Process\./;

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
  // Emptied: opened to be written, and closed.
  "\\bopen(?=\\s*\\([^()\\n]{0,200}[\"']w[bt+]{0,2}[\"']\\s*\\)\\s*\\.(?:close|truncate))",
  "\\btruncate(?=\\s*\\(?\\s*[\"'])",
  "\\b(?:DROP\\s+(?:TABLE|DATABASE|SCHEMA)|drop_all|dropDatabase)\\b",
]);

/** Code that writes to files, or moves them. */
export const WRITES = anyOf([
  "\\bopen\\w*\\s*\\([^()\\n]{0,300},\\s*(?:mode\\s*=\\s*|flags\\s*:\\s*)?[\"'](?:[wax]|r\\w?\\+|\\+?>)",
  "\\bopen\\b[^;\\n]{0,80}[\"']\\+?>",
  "\\b(?:fs|fsp|promises)\\.(?:write|append|copy|cp|rename|symlink|link|createWrite)\\w*",
  "\\b(?:write|append|copy|output)File(?:Sync)?\\s*\\(|\\b(?:rename|cp|symlink|link)Sync\\s*\\(|\\bcreateWriteStream\\b",
  "\\b(?:write_text|write_bytes|file_put_contents|fputs|fwrite)\\b|\\bshutil\\.\\w+|\\bos\\.(?:rename|replace|link|symlink)\\b",
  "\\b(?:File|IO)\\.(?:bin)?write\\b|\\bFileUtils\\.\\w+|\\b(?:Set|Add|Clear)-Content\\b|\\bOut-File\\b",
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
  "\\b(?:Invoke-WebRequest|Invoke-RestMethod|Net\\.WebClient)",
]);

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
  /(?:environ(?:\.get\(|\[)|getenv\(|process\.env(?:\.|\[)|\bENV(?:\[|\.fetch\()|\$ENV\{|\$_ENV\[|Deno\.env\.get\()\s*["']?([A-Za-z_]\w*)/g;

/** Code that takes the environment as a whole. */
export const WHOLE_ENVIRONMENT = anyOf([
  "\\bos\\.environ(?!\\s*[.[]\\s*(?:get|\\w*[\"'\\w]))",
  "\\bprocess\\.env(?!\\s*[.[])",
  "\\bENV\\.(?:to_h|inspect)|%ENV\\b|\\$_SERVER\\b|\\bprintenv\\b",
  "\\bdict\\(os\\.environ|\\benviron\\.(?:items|copy)|\\bDeno\\.env\\.toObject",
]);
