interface SecretShape {
  /** One of these, in lower case, is in every text that has the shape. Without them the pattern has to be tried. */
  readonly signs?: readonly string[];
  /** The group is what stays in front. */
  readonly pattern: RegExp;
}

/**
 * Tokens by their beginning. Letters and digits follow, and with `-`, `_` or `.` in the name of a row these too. Twenty
 * characters at least, because words of programs begin like this: `npm_config_cache`.
 */
const PLAIN_TOKENS =
  "npm_ hf_ r8_ gsk_ ntn_ nfp_ secret_ whsec_ lin_api_ lin_oauth_ rubygems_ sbp_ sntryu_ shpat_ shpss_ shpca_ shppa_ dop_v1_ " +
  "doo_v1_ dor_v1_ pul- nrak- nrjs- nraa- xai- pplx- tvly-";
const WIDE_TOKENS =
  "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- gldt- glrt- glptt- glft- glsoat- glcbt- glsa_ glc_ figd_ dckr_pat_ dckr_oat_ " +
  "pscale_tkn_ pscale_pw_ pscale_oauth_ sntrys_ sq0atp- sq0csp- gocspx- hvs. hvb. hvr. dp.pt. dp.st. dp.sa. dp.ct. pypi-ageicc " +
  "pypi-ageichl atatt3 xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xapp- aiza ya29. sg. sk- sk_ pk- pk_ rk- rk_ thk_";

const tokens = (names: string, follows: string): SecretShape => {
  const signs = names.split(" ");
  const beginnings = signs.map((name) => name.replaceAll(".", "\\.")).join("|");
  return { signs, pattern: new RegExp(`(?<![\\w-])()(?:${beginnings})${follows}`, "gi") };
};

/** The one table of shapes. None has a nested repetition, so that none takes more than linear time. */
export const SECRET_SHAPES: readonly SecretShape[] = [
  {
    signs: ["-----begin"],
    pattern: /(-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)(?:(?!-----END )[\s\S])*/g,
  },
  { signs: ["private-lines:"], pattern: /(Private-Lines: \d{1,4})[A-Za-z0-9+/=\\\s]{20,}/g },
  tokens(PLAIN_TOKENS, "[A-Za-z0-9]{20,}"),
  tokens(WIDE_TOKENS, "[\\w.-]{16,}"),
  { signs: ["akia", "asia"], pattern: /(?<![\w-])()(?:AKIA|ASIA)[A-Z0-9]{12,}/g },
  { signs: ["eyj"], pattern: /(?<![\w-])()eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/g },
  { signs: ["age-secret-key-"], pattern: /(?<![\w-])()AGE-SECRET-KEY-1[A-Z0-9]{20,}/gi },
  { pattern: /(?<![\w-])()SK[0-9a-f]{32}(?!\w)/g },
  { signs: ["key-"], pattern: /(?<![\w-])()key-[0-9a-f]{32}(?!\w)/g },
  { signs: ["dapi"], pattern: /(?<![\w-])()dapi[0-9a-f]{32}(?:-\d)?/g },
  { pattern: /(?<![\w-])()[0-9a-f]{32}-us\d{1,2}(?!\w)/g },
  { signs: [":aa"], pattern: /(?<![\w-])()\d{8,10}:AA[\w-]{32,}/g },
  { pattern: /(?<![\w-])()[MNO][\w-]{23,27}\.[\w-]{6,7}\.[\w-]{27,}/g },
  { pattern: /(?<![\w-])()pat[A-Za-z0-9]{14}\.[0-9a-f]{64}/g },
  { signs: [".atlasv1."], pattern: /(?<![\w-])()[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}/g },
  { signs: ["8q~"], pattern: /(?<![\w-])()[\w.~-]{3}8Q~[\w.~-]{31,40}/g },
  { signs: ["eaaa"], pattern: /(?<![\w-])()EAAA[\w-]{50,}/g },
  { signs: ["1//0"], pattern: /(?<![\w/-])()1\/\/0[\w-]{24,}/g },
  { signs: ["access_token$"], pattern: /(access_token\$)[\w$]{20,}/g },
  {
    signs: ["hooks.slack.com"],
    pattern: /(hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/]{10,}/g,
  },
  { signs: ["/api/webhooks/"], pattern: /(\/api\/webhooks\/)[\w/-]{20,}/g },
  { signs: ["sig="], pattern: /([?&]sig=)[\w%+/=-]{20,}/g },
  {
    signs: ["$apr1$", "$1$", "$2a$", "$2b$", "$2y$", "$5$", "$6$", "$y$", "$argon2"],
    pattern: /()\$(?:apr1|1|2[aby]|5|6|y|argon2(?:id?|d))\$[\w./$=,+-]{20,}/g,
  },
  {
    signs: ["bearer", "basic", "token"],
    pattern: /(?<![\w-])((?:Bearer|Basic|Token)[ \t]{1,8})(?=[\w.~+/=-]{0,200}[\d=])[\w.~+/=-]{8,}/gi,
  },
  { signs: ["://"], pattern: /(:\/\/[^\s/:@"']{0,200}:)[^\s/"']{1,400}(?=@)/g },
  { signs: ["://"], pattern: /(:\/\/)[\w.-]{20,200}(?=@)/g },
  { signs: ["password"], pattern: /(\blogin[ \t]{1,4}\S{1,100}[ \t\n]{1,4}password[ \t]{1,4})[^\s"'\\]+/g },
];
