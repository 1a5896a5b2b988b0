import { CREDENTIAL_FILES } from "../../shared/protected-files.ts";

/** In a project these are settings that everybody shares. */
const OF_A_PERSON = [".npmrc", ".yarnrc.yml", ".azure/**"];

const IN_HOME = [
  ...CREDENTIAL_FILES.filter((file) => !OF_A_PERSON.includes(file)),
  ".aws",
  ".aws/[*]*",
  ".aws/{credentials*,sso/**,cli/**,login/**}",
  ".boto",
  ".bash_history",
  ".cargo/credentials*",
  ".composer/auth.json",
  ".config/doctl/config.yaml",
  ".config/gcloud",
  ".config/gcloud/**",
  ".config/gh/hosts.yml",
  ".config/hub",
  ".config/op/**",
  ".config/rclone/rclone.conf",
  ".docker/config.json",
  ".electrum/**",
  ".ethereum/**",
  ".fly/config.yml",
  ".gem/credentials",
  ".gnupg",
  ".gnupg/**",
  ".kube/config",
  ".kube",
  ".local/share/keyrings/**",
  ".my.cnf",
  "_netrc",
  ".node_repl_history",
  ".password-store/**",
  ".pgpass",
  ".psql_history",
  ".python_history",
  ".s3cfg",
  ".ssh",
  ".ssh/[*]",
  ".ssh/*{_rsa,_dsa,_ecdsa,_ed25519,_sk,_key,[*]}",
  ".ssh/*.{pem,key}",
  ".terraform.d/credentials*",
  ".vault-token",
  ".zsh_history",
  // What agents log in with.
  ".claude/.credentials.json",
  ".codex/auth.json",
  ".{gemini,qwen}/{oauth_creds,google_accounts,mcp-oauth-tokens*}.json",
  ".config/github-copilot/{hosts,apps}.json",
  ".copilot/config.json",
  ".local/share/{opencode,kilo,amp,crush}/{auth,mcp-auth,secrets,crush}.json",
  ".pi/agent/auth.json",
  ".{,config/}cursor/auth.json",
  ".cline/data/secrets.json",
  ".augment/session.json",
  ".{factory,kimi,grok}/{auth,credentials}.json",
  ".{,cache/}huggingface/token",
  // Wallets.
  ".config/solana/**",
  ".{bitcoin,litecoin,dogecoin,zcash,near-credentials,starknet_accounts,atomic,bitmonero}/**",
  ".{foundry/keystores,brownie/accounts,sui/sui_config,aptos}/**",
  ".*/keyring-{file,test,os}/**",
];

/** The names of files with keys, wherever they are. */
export const KEY_FILES: readonly string[] = [
  "*.{pem,key,p12,pfx,jks,keystore,kdbx,ppk,ovpn,tfstate}",
  // With an ending too, unless it is the public one.
  "id_{rsa,dsa,ecdsa,ed25519,ecdsa_sk,ed25519_sk}{,~,[._-][!p]*[!b],[._-]p[!u]*[!b]}",
  "*.{pem,key,p12,pfx,jks,keystore,kdbx,ppk,ovpn}{~,.bak,.backup,.old,.orig,.save,.copy,.[0-9]}",
];

const ANYWHERE = [
  ...KEY_FILES,
  ".env",
  ".env.{local,dev,development,staging,stage,prod,production,backup,bak,old,save}{,.*}",
  "*.env",
  "{terraform,prod*,*secret*}.tfvars",
  "{.npmrc,.netrc,.pgpass,.htpasswd,credentials,credentials.json}{~,.bak,.backup,.old,.orig,.save,.copy}",
  ".htpasswd",
  ".secrets",
  "secrets.{yml,yaml,json,toml,env,txt}",
  // Code about secrets may be in a folder of that name too.
  "secrets",
  "secrets/[*]*",
  "secrets/**/*.{yml,yaml,json,toml,env,txt,csv,xml,ini,conf,cfg,properties,enc,gpg,age,asc,crt,der,b64,db}",
  "secrets/**/*{password,passwd,token,secret,_key,-key,apikey,credentials}",
  "credentials",
  "credentials.{json,yml,yaml,csv,xml,db}",
  "*{service-account,service_account,serviceAccount}*.json",
  "application_default_credentials.json",
  "client_secret*.json",
  "master.key",
  "wallet.dat",
  "{exodus.wallet,Monero/wallets,keystore/UTC--*}{,/**}",
  "{mnemonic,seed,seed-phrase,seedphrase,recovery-phrase}.txt",
  "{passwords,password,passwd,api_keys}.{txt,csv,json,kdbx}",
  "tokens.{txt,csv}",
  // Elsewhere they are the colours of a design.
  ".*/**/tokens.json",
  "{Login?Data,Cookies,Web?Data,cookies.sqlite,logins.json,key3.db,key4.db,signons.sqlite}",
  "{Google/Chrome,google-chrome,.config/chromium,snap/chromium,.mozilla,Firefox/Profiles,BraveSoftware}/**",
  "Keychains/**",
  "*.keychain-db",
];

const OF_THE_SYSTEM = [
  "/etc/{shadow,gshadow,sudoers,security/opasswd,krb5.keytab,master.passwd}{,-,~}",
  "/etc/{sudoers.d,ssl/private,ssh/ssh_host_*_key,wireguard,openvpn,kubernetes/pki}{,/**}",
  "/proc/*/{environ,mem,maps}",
  "/dev/{mem,kmem}",
  "/{run,var/run}/secrets/**",
  "/var/lib/{kubelet,docker/swarm}/**",
];

/** Globs of the files that hold secrets: keys, credentials, tokens, browser data. */
export const SECRET_PATHS: readonly string[] = [
  `**/{${[...IN_HOME, ...ANYWHERE].join(",")}}`,
  ...["~", "{/root,/home/*,/Users/*}", "../**"].map((home) => `${home}/{${OF_A_PERSON.join(",")}}`),
  ...OF_THE_SYSTEM,
];
