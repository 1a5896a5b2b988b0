/**
 * Tools that projects install as development dependencies: `npx tsc` starts the one that is there. For another name
 * `npx` asks the registry.
 */
const PROJECT_TOOLS =
  "{tsc,tsx,ts-node,vue-tsc,tsd,tsup,tsdown,eslint,prettier,biome,oxlint,stylelint,markdownlint*,vitest,jest,mocha,ava,tap,c8,nyc,playwright,cypress,wdio,karma,next,nuxt,nuxi,astro,vite,webpack,rollup,esbuild,swc,parcel,turbo,nx,lerna,rush,storybook,remix,svelte-kit,svelte-check,react-scripts,ng,expo,tailwindcss,postcss,prisma,drizzle-kit,knex,sequelize*,typeorm*,mikro-orm,graphql-codegen,openapi-typescript,husky,lint-staged,commitlint,changeset,semantic-release,release-it,knip,depcheck,madge,dpdm,size-limit,publint,attw,typedoc,jsdoc,wrangler,patch-package,rimraf,cross-env,concurrently,nodemon,pm2,serve,http-server,tenterhook,dotenv*,env-cmd,only-allow,syncpack,ncu,sort-package-json,nx-*,hardhat,forge}";

const PACKAGE_RUNNERS = ["npx", "bunx", "pnpx", "npm {exec,x}", "bun x"];

/** Programs that go to the network by themselves, whatever their arguments. */
export const FETCHERS: readonly string[] = [
  "git {fetch,pull,push,clone,ls-remote,send-pack,fetch-pack}",
  "git remote {update,show,prune}",
  "git submodule {update,add}",
  "git lfs {fetch,pull,push,clone}",
  "git archive --remote",
  "{npm,pnpm,yarn,bun} {install,i,ci,add,update,upgrade,up,publish,audit,outdated,view,info,show,login,adduser,logout,search,dlx,create,init,owner,access,token,team,org,dist-tag,unpublish,deprecate,ping,whoami,profile,star} !--offline",
  ...PACKAGE_RUNNERS,
  "uvx",
  "{pip,pip3,pipx} {install,download,search,index,run,upgrade} !--no-index",
  "python* -m pip {install,download,search,index} !--no-index",
  "python* -m {ensurepip,pipx}",
  "uv {add,sync,pip,lock,tool,python} !--offline",
  "{poetry,pdm,pipenv,hatch} {install,add,update,lock,sync,publish}",
  "{conda,mamba,micromamba} {install,create,update,search} !--offline",
  "cargo {install,add,update,fetch,publish,search,login,owner,yank} !--offline",
  "go {get,install}",
  "go mod download",
  "{gem,bundle} {install,update,push,fetch,outdated}",
  "composer {install,update,require}",
  "{mix,rebar3} {deps.get,hex.publish}",
  "dotnet {restore,tool,nuget}",
  "{apt,apt-get,aptitude,yum,dnf,zypper,apk,brew,snap,flatpak,port} {update,upgrade,install,add,dist-upgrade,refresh,search,tap}",
  "pacman -S",
  "{rustup,nvm,pyenv,rbenv,asdf,mise,fnm,volta,sdk} {install,update,self,toolchain,target,component}",
  "playwright install",
  "{docker,podman,nerdctl} {pull,push,login,search,run,create}",
  "{docker,podman,nerdctl} {image,container} {pull,push,run,create}",
  "docker compose {pull,push,publish}",
  "docker-compose {pull,push}",
  "{gh,glab} {api,pr,mr,issue,repo,release,run,ci,gist,auth,workflow,search,label,secret,variable,codespace,project,ruleset,cache,org,status,extension,gpg-key,ssh-key}",
  "{aws,gcloud,az,gsutil,kubectl,oc,k,helm,terraform,tofu,terragrunt,heroku,fly,flyctl,vercel,netlify,firebase,pulumi,doctl,hcloud,linode-cli,ibmcloud,oci,scw,railway,supabase,s3cmd,rclone,azcopy,eksctl,argocd,flux,vault,nomad,consul,cdk,sam,eb}",
  "wrangler {deploy,publish,tail,secret,kv*,r2,d1,login,whoami,delete,rollback,queues,pages}",
  "{curl,wget,ssh,sftp,ftp,lftp,tftp,telnet,nc,ncat,netcat,socat,dig,nslookup,host,ping,ping6,traceroute,mtr,whois,nmap,aria2c,http,https,xh,mosh,autossh,sshfs,ssh-copy-id,ssh-keyscan,smbclient,ztcp,ngrok,cloudflared,tailscale}",
];

/** What of these programs stays on this machine. */
export const LOCAL_USES: readonly string[] = [
  ...PACKAGE_RUNNERS.map((runner) => `${runner} ${PROJECT_TOOLS} !-y !--yes !-p !--package`),
  "npx --no-install",
  "npx --no",
  "npx --offline",
  "{terraform,tofu} {fmt,validate,version,show,graph,console,output}",
  "terragrunt {hclfmt,version}",
  "helm {template,lint,create,package,version,env,completion,help,plugin,show}",
  "{kubectl,oc,k} {config,kustomize,completion,help,options,plugin}",
  "{kubectl,oc,k} --dry-run client",
  "kubectl version --client",
  "aws {configure,help}",
  "gcloud {config,version,help,info,topic}",
  "az {config,version,configure,find}",
  "pulumi {version,about,completion}",
  "{cdk,sam} {synth,ls,list,validate,build,local,init,version}",
  "firebase emulators:*",
  "{vercel,netlify} {dev,build,help}",
  "heroku {local,version,help}",
  "supabase {init,start,stop,status,db,gen,test,migration}",
  "vault {version,server}",
  "rclone {version,config,listremotes,help}",
  "{docker,podman,nerdctl} run --pull never --network none",
  "{aws,gcloud,az,kubectl,helm,terraform,tofu,terragrunt,fly,flyctl,vercel,netlify,firebase,pulumi,heroku,curl,wget,nmap,npx,uvx,cdk,sam,http,vault,socat,mosh} --version",
  "{aws,gcloud,az,kubectl,helm,terraform,tofu,terragrunt,fly,flyctl,vercel,netlify,firebase,pulumi,heroku,curl,wget,nmap,npx,uvx,cdk,sam,http,vault,socat,mosh} --help",
  "ssh -V",
  "ssh -G",
];
