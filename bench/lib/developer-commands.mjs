/**
 * Lines as developers and agents write them, from one word to a small script. A `#` stands for a number, so that one
 * line gives many texts and no cache of the last few helps.
 */
const LINES = [
  "ls -la src/feature-#",
  "git status --short --branch -- packages/app-#",
  "npm run build -- --filter=web-# --no-cache",
  "cat package.json | jq '.scripts[\"build-#\"]'",
  'git add -A && git commit -m "fix(parser): handle the empty input (#)" && git push origin HEAD',
  "git checkout -b feature/login-# origin/main",
  "git log --oneline --since='2 weeks ago' --author=\"$USER\" -n # | head -20",
  "cd packages/api-# && npm ci && npm test -- --coverage 2>&1 | tee test.log",
  "rg -n --glob '!node_modules' \"createServer\\(\" src test-#",
  "find . -name '*.test.ts' -not -path './node_modules/*' -mtime -# | xargs wc -l",
  "grep -rn 'TODO' --include='*.ts' src | sort -t: -k1,1 | uniq -c | sort -rn | head -n #",
  'sed -i \'s/version = "0.1.#"/version = "0.2.0"/\' pyproject.toml',
  "docker build -t registry.example.com/api:# --build-arg NODE_ENV=production -f docker/Dockerfile .",
  'docker run --rm -it -v "$(pwd)":/work -w /work -p 80#:80 node:20 npm test',
  "docker compose -f docker-compose.yml up -d postgres-# && docker compose logs -f --tail=50 api",
  "kubectl get pods -n staging-# -o wide | grep -v Running",
  "kubectl -n prod logs deploy/api-# --since=10m | grep -i error | tail -50",
  "curl -sS -H 'Accept: application/json' https://api.example.com/v1/items/# | jq -r '.data[].name'",
  'for f in src/*.ts; do echo "checking $f #"; npx tsc --noEmit "$f"; done',
  "if [ -f .env.# ]; then set -a; source .env.local; set +a; fi; node server.js",
  "NODE_ENV=test DATABASE_URL=postgres://localhost:5432/test_# npx vitest run --reporter=dot",
  "python3 -m venv .venv-# && . .venv-#/bin/activate && pip install -r requirements.txt",
  'python -c \'import json,sys; print(json.load(sys.stdin)["items"][#]["id"])\' < response.json',
  "rm -rf dist-# coverage && mkdir -p dist/assets && cp -r public/. dist/assets/",
  "tar -czf backup-#.tar.gz --exclude=node_modules --exclude=.git . && ls -lh backup-#.tar.gz",
  "ps aux | grep 'node server-#' | grep -v grep | awk '{print $2}' | head -1",
  'export VERSION=1.#.0; echo "Releasing $VERSION"; npm version "$VERSION" --no-git-tag-version',
  'gh pr create --title "Add retries (#)" --body "$(cat .github/pr.md)" --base main --draft',
  "cat > src/config-#.ts <<'END'\nexport const config = { retries: 3, url: process.env.API_URL };\nEND",
  "(cd web-# && pnpm install --frozen-lockfile && pnpm lint --fix) || echo 'lint failed' >&2",
  "test -d node_modules || npm install --no-audit --no-fund; npx eslint . --ext .ts,.tsx --max-warnings #",
  "psql -h localhost -U app -d app_# -c 'select id, email from users order by created_at desc limit 5'",
];

/**
 * So many texts of each line, each text once.
 *
 * @param {number} times
 */
export function developerCommands(times) {
  return Array.from({ length: times }, (_, number) =>
    LINES.map((line) => line.replaceAll("#", String(number))),
  ).flat();
}
