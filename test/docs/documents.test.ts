import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCli } from '../../src/cli/program.ts';
import { parseConfig } from '../../src/shared/platform/config.ts';
import { statusByCode } from '../../src/shared/errors.ts';
import { searchAttributeNames } from '../../src/shared/platform/temporal/search-attributes.ts';
import { signDelivery } from '../../src/shared/signing/signature.ts';
import { startApi } from '../helpers/api.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(project, path), 'utf8');
const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...markdownOf('docs')];

function markdownOf(folder: string): string[] {
  return readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

/** Every first group of `pattern` in the text. */
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);
const unique = (names: readonly string[]): string[] => [...new Set(names)].sort();

const settings = all(read('src/shared/platform/config.ts'), /^ {4}([A-Z_]+): /gm);

describe('settings', () => {
  test('README has a row for each one, and for nothing else', () => {
    expect(settings.length).toBeGreaterThan(10);
    const [, section = ''] = read('README.md').split('## Settings');
    expect(unique(all(section, /^\| `([A-Z_]+)` \|/gm))).toEqual(unique(settings));
  });

  test('.env.example has each one; what it has beside them is for docker compose, which uses it', () => {
    const names = all(read('.env.example'), /^([A-Z_]+)=/gm);
    expect(names).toEqual(expect.arrayContaining(settings));
    const used = all(read('docker-compose.yml'), /\$\{([A-Z_]+)/g);
    expect(used).toEqual(expect.arrayContaining(names.filter((name) => !settings.includes(name))));
  });

  test('docker compose gives the processes settings that exist, and takes from .env what a site may set', () => {
    const [, block = ''] = /^x-settings: &settings\n((?: {2}.+\n)+)/m.exec(read('docker-compose.yml')) ?? [];
    const given = all(block, /^ {2}([A-Z_]+): /gm);
    // Several processes share its database. The image knows its folder, and the numbers are read inside the container's network.
    const fixedInImage = ['DATA_DIR', 'METRICS_PORT', 'TEST_ENDPOINT'];
    expect(unique([...given, ...fixedInImage])).toEqual(unique([...settings, 'TEMPORAL_NAMESPACE']));
  });
});

describe('secrets by files under docker compose', () => {
  test('the lines of operations.md give the processes what stands in the files', () => {
    const folder = tempFolder('compose');
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const written = { master_key: 'ab'.repeat(32), smtp_url: 'smtps://u:p@mail.example.com' };
    for (const [name, content] of Object.entries(written)) writeFileSync(join(folder, name), `${content}\n`);
    const [, settingsOfSite = ''] = /^x-settings: &settings\n((?: {2}.+\n)+)/m.exec(read('docker-compose.yml')) ?? [];
    const [, override = ''] = /```yaml\n(.*?)```/s.exec(read('docs/operations.md')) ?? [];
    const [, changed = ''] = /^ {2}environment:\n((?: {4}.+\n)+)/m.exec(override) ?? [];
    const env = { ...environmentOf(settingsOfSite), ...environmentOf(changed.replaceAll('/run/secrets', folder)) };
    expect(parseConfig(env)).toMatchObject({
      masterKey: Buffer.alloc(32, 0xab),
      smtpUrl: 'smtps://u:p@mail.example.com',
    });
  });

  /** Lines of YAML as docker compose reads them with PARLEY_DATABASE_PASSWORD alone in .env. */
  const environmentOf = (lines: string): Record<string, string> =>
    Object.fromEntries(
      [...lines.matchAll(/^ +([A-Z_]+): (.*)$/gm)].map(([, name = '', value = '']) => [
        name,
        value
          .replace('${PARLEY_DATABASE_PASSWORD:?}', 'p')
          .replace(/\$\{[A-Z_]+:-(.*?)\}/g, '$1')
          .replace(/^''$/, ''),
      ]),
    );
});

describe('the version', () => {
  test('is one: of the package and its lock file, of packages/, README and the changelog', () => {
    const versionOf = (path: string) => z.object({ version: z.string() }).parse(JSON.parse(read(path))).version;
    const version = versionOf('package.json');
    expect(versionOf('package-lock.json')).toBe(version);
    expect(versionOf('packages/verify/package.json')).toBe(version);
    expect(versionOf('packages/webchat/package.json')).toBe(version);
    expect(read('CHANGELOG.md').match(/^## ([\d.]+)/m)?.[1]).toBe(version);
    expect(read('README.md').match(/^This is version ([\d.]+)[,:]/m)?.[1]).toBe(version.replace(/\.0$/, ''));
  });
});

describe('commands', () => {
  test('every npm script that a document names exists', () => {
    const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json')));
    const named = documents.flatMap((path) => all(read(path), /\bnpm (?:run )?((?<=run )[a-z][a-z:-]*|start|test)\b/g));
    expect(named).toContain('demo');
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(unique(named)));
  });

  test('every command of parley that README names exists', async () => {
    const lines = all(
      read('README.md'),
      /(?:npm run -s parley -- |src\/cli\/main\.ts )([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g,
    );
    expect(lines.length).toBeGreaterThan(8);
    for (const line of unique(lines)) {
      let out = '';
      const io = { env: {}, out: (text: string) => (out += text), err: () => {} };
      expect(await runCli([...line.split(' '), '--help'], io)).toBe(0);
      expect(out).toContain(`Usage: parley ${line} `);
    }
  });
});

describe('verifying a signature', () => {
  test("README's lines take what Parley signs, and nothing that differs in a byte, the secret or the header", async () => {
    const [code = ''] = all(read('README.md'), /```js\n(.*?)```/gs);
    const { isFromParley }: { isFromParley: (body: Buffer, headers: object, secret: string) => boolean } = await import(
      `data:text/javascript,${encodeURIComponent(code)}`
    );
    const body = Buffer.from('{"event":"new_message"}');
    const signed = signDelivery({ secret: 'whsec_c2VjcmV0', body, id: 'dlv_1', timestampSeconds: 1 });
    const headers = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]));
    expect(isFromParley(body, headers, 'whsec_c2VjcmV0')).toBe(true);
    expect(isFromParley(Buffer.from('{"event": "new_message"}'), headers, 'whsec_c2VjcmV0')).toBe(false);
    expect(isFromParley(body, headers, 'another')).toBe(false);
    expect(isFromParley(body, {}, 'whsec_c2VjcmV0')).toBe(false);
    expect(isFromParley(body, { 'x-service-signature': 'zz' }, 'whsec_c2VjcmV0')).toBe(false);
  });
});

describe('places', () => {
  test.each(documents)('%s names no file or folder that is not there, and links to none', (path) => {
    const text = read(path);
    const inText = all(text, /`((?:src|scripts|migrations|bench|docs|deploy|test)\/[\w./-]*)`/g);
    const linked = all(text, /\]\((?!https?:)([^)#]+)/g).map((link) => join(dirname(path), link));
    const missing = [...inText, ...linked].filter((named) => !existsSync(join(project, named)));
    expect(missing).toEqual([]);
  });

  test('ARCHITECTURE.md names no file of src by its last parts alone that is not there', () => {
    const files = readdirSync(join(project, 'src'), { recursive: true, encoding: 'utf8' });
    const named = all(read('ARCHITECTURE.md'), /`([\w-]+(?:\/[\w-]+)*\.tsx?)`/g);
    const missing = named.filter(
      (name) => !existsSync(join(project, name)) && !files.some((file) => file.endsWith(`/${name}`)),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(missing).toEqual([]);
  });

  test('ARCHITECTURE.md has every folder of src and every room of shared', () => {
    const map = read('ARCHITECTURE.md');
    const folders = ['src', 'src/shared'].flatMap((parent) =>
      readdirSync(join(project, parent), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `\`${parent}/${name}/\``),
    );
    expect(folders.filter((folder) => !map.includes(folder))).toEqual([]);
  });

  test("ARCHITECTURE.md's map has every page of docs", () => {
    const pages = readdirSync(join(project, 'docs')).filter((name) => name.endsWith('.md'));
    const map = read('ARCHITECTURE.md');
    expect(pages.filter((name) => !map.includes(`docs/${name}`))).toEqual([]);
  });

  test('the list of decisions has every page', () => {
    const pages = readdirSync(join(project, 'docs/decisions')).filter((name) => /^\d{4}-.*\.md$/.test(name));
    expect(unique(all(read('docs/decisions/README.md'), /\]\((\d{4}-[^)]+)\)/g))).toEqual(unique(pages));
  });
});

describe('api.md', () => {
  const text = read('docs/api.md');

  test('names the path of every operation', async () => {
    const api = await startApi();
    onTestFinished(api.stop);
    const { body } = await api.request('GET', '/openapi.json');
    const { paths } = z.object({ paths: z.record(z.string(), z.unknown()) }).parse(body);
    const relative = Object.keys(paths).map((path) => path.replace(/^\/(v1|api|dashboard\/api)/, ''));
    expect(relative.length).toBeGreaterThan(10);
    expect(unique(relative).filter((path) => !new RegExp(`${path.replace(/[{}]/g, '\\$&')}[\`?]`).test(text))).toEqual(
      [],
    );
  });

  test('lists the POSTs that ignore an Idempotency-Key, and no others', async () => {
    const api = await startApi();
    onTestFinished(api.stop);
    const { body } = await api.request('GET', '/openapi.json');
    const parameters = z.array(z.object({ name: z.string() })).default([]);
    const post = z.object({ parameters }).optional();
    const { paths } = z.object({ paths: z.record(z.string(), z.object({ post })) }).parse(body);
    const ignoring = Object.entries(paths).flatMap(([path, { post: operation }]) =>
      !operation || operation.parameters.some(({ name }) => name === 'Idempotency-Key')
        ? []
        : [path.replace(/^\/(v1|api|dashboard\/api)/, '')],
    );
    const [, listed = ''] = /These ignore it, .*?: (.*?)\.\n/s.exec(text) ?? [];
    expect(all(listed, /`(\/[^`]+)`/g).sort()).toEqual(unique(ignoring));
  });

  test('has every error code at its status', () => {
    const rows = [...text.matchAll(/^\| (\d{3}) \| (.*) \|$/gm)];
    const listed = rows.flatMap(([, status, cell = '']) => all(cell, /`(\w+)`/g).map((code) => [code, Number(status)]));
    expect(Object.fromEntries(listed)).toEqual(statusByCode);
  });
});

describe('docker-compose.yml', () => {
  const compose = read('docker-compose.yml');
  const [, inServices = ''] = /^services:\n([^]*?)^(?=\S)/m.exec(compose) ?? [];
  const services = inServices
    .split(/^(?= {2}[a-z-]+:$)/m)
    .flatMap((text): [string, string][] => [[/^ {2}([a-z-]+):$/m.exec(text)?.[1] ?? '', text]])
    .filter(([name]) => name !== '');
  const shared = (name: string): string =>
    new RegExp(`^x-\\w+: &${name}\\n((?:(?: .*)?\\n)+)`, 'm').exec(compose)?.[1] ?? '';

  test('has no item of a list that YAML reads as a mapping, for which the whole file is refused', () => {
    expect(all(compose, /^ *- (?!['"[{])(.*\w: .*)$/gm)).toEqual([]);
  });

  test('gives every container its networks, and limits of memory and processes, a read-only root and no capabilities', () => {
    expect(services.map(([name]) => name)).toContain('postgres-roles');
    const wanted = ['networks: [', 'mem_limit: ', 'pids_limit: ', 'read_only: true', 'cap_drop: [ALL]'];
    const missing = services.flatMap(([name, text]) => {
      const anchors = all(text, /<<: \*(\w+)/g);
      const inherited = anchors.flatMap((anchor) => [
        shared(anchor),
        ...all(shared(anchor), /<<: \*(\w+)/g).map(shared),
      ]);
      const whole = [text, ...inherited].join('');
      return wanted.filter((line) => !whole.includes(line)).map((line) => `${name}: ${line}`);
    });
    expect(missing).toEqual([]);
  });

  test('tells the superuser’s password to nobody but PostgreSQL and the job that makes the roles', () => {
    const told = services.filter(([, text]) => text.includes('${POSTGRES_PASSWORD')).map(([name]) => name);
    expect(told).toEqual(['postgres', 'postgres-roles']);
    expect(shared('settings')).not.toContain('${POSTGRES_PASSWORD');
  });
});

describe('deploy/temporal', () => {
  test('the job registers the search attributes that workflows carry, and README names them for Temporal Cloud', () => {
    const [, names = ''] = /^attributes='(.*)'$/m.exec(read('deploy/temporal/set-up-namespace.sh')) ?? [];
    expect(names.split(' ')).toEqual(searchAttributeNames);
    expect(read('README.md').replaceAll('\n', ' ')).toContain(searchAttributeNames.join(', '));
  });

  test("the server's dynamic configuration is the embedded one's, but for what keeps that one small", () => {
    const deployed = all(read('deploy/temporal/dynamic-config.yaml'), /^([\w.]+):\n {2}- value: /gm);
    const embedded = all(read('src/shared/platform/embedded/temporal-arguments.ts'), /^ {4}'(\w+\.\w+)': /gm);
    expect(unique(deployed)).toEqual(unique(embedded));
  });
});
