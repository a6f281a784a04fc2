import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigError, parseConfig } from '../../../src/shared/platform/config.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    parseConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

test('names every wrong setting at once, and repeats no value', () => {
  const problems = problemsOf({
    PORT: '70000',
    BASE_URL: 'ftp://parley.example',
    DATABASE_URL: 'mysql://u:hidden@db/x',
    MASTER_KEY: 'hidden',
    SMTP_URL: 'http://u:hidden@mail',
    TEMPORAL_UI_URL: 'temporal.example.com',
    EGRESS_ALLOW: '10.0.0.0/40',
    EGRESS_CA_FILE: '/no/such/file',
    TELEGRAM_API_URL: 'https://127.0.0.1:8081/bots',
    RATE_LIMIT_PER_MINUTE: '0',
    METRICS_PORT: 'many',
    LOG_LEVEL: 'loud',
  });
  for (const name of [
    'PORT',
    'BASE_URL',
    'DATABASE_URL',
    'MASTER_KEY',
    'SMTP_URL',
    'TEMPORAL_UI_URL',
    'EGRESS_ALLOW',
    'EGRESS_CA_FILE',
    'TELEGRAM_API_URL',
    'RATE_LIMIT_PER_MINUTE',
    'METRICS_PORT',
    'LOG_LEVEL',
  ]) {
    expect(problems.filter((problem) => problem.startsWith(`${name} `))).toHaveLength(1);
  }
  expect(problems.join()).not.toContain('hidden');
});

test('an empty variable counts as not set, and base_url serves both hosts unless told otherwise', () => {
  expect(parseConfig({ BASE_URL: '', PORT: '3000', SMTP_URL: '' })).toMatchObject({
    baseUrl: 'http://localhost:3000',
    apiUrl: 'http://localhost:3000',
    smtpUrl: undefined,
  });
  expect(parseConfig({ BASE_URL: 'https://app.example/', API_URL: 'https://api.example' })).toMatchObject({
    baseUrl: 'https://app.example',
    apiUrl: 'https://api.example',
  });
});

test('a database of its own needs a master key of its own', () => {
  expect(problemsOf({ DATABASE_URL: 'postgres://db/parley' })).toEqual([
    expect.stringMatching(/^MASTER_KEY is required/),
  ]);
  expect(problemsOf({ DATABASE_URL: 'postgres://db/parley', MASTER_KEY: 'ab'.repeat(32) })).toEqual([]);
});

test('the test endpoint is on without DATABASE_URL, off with it, and refused where it is on with it', () => {
  const database = { DATABASE_URL: 'postgres://db/parley', MASTER_KEY: 'ab'.repeat(32) };
  expect(parseConfig({}).testEndpoint).toBe(true);
  expect(parseConfig({ TEST_ENDPOINT: 'off' }).testEndpoint).toBe(false);
  expect(parseConfig(database).testEndpoint).toBe(false);
  expect(problemsOf({ ...database, TEST_ENDPOINT: 'on' })).toEqual([
    expect.stringMatching(/^TEST_ENDPOINT cannot be on with DATABASE_URL: several processes may serve/),
  ]);
  expect(problemsOf({ TEST_ENDPOINT: 'yes' })).toEqual([expect.stringMatching(/^TEST_ENDPOINT /)]);
});

test('a secret may stand in a file, without the line break that an editor puts behind it', () => {
  const folder = tempFolder('config');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const given = {
    DATABASE_URL_FILE: file('database', 'postgres://u:p@db/parley\n'),
    MASTER_KEY_FILE: file('key', `${'ab'.repeat(32)}\n`),
    MASTER_KEY_PREVIOUS_FILE: file('previous', 'cd'.repeat(32)),
    SMTP_URL_FILE: file('smtp', 'smtp://u:p@mail:25'),
  };
  expect(parseConfig(given)).toMatchObject({
    databaseUrl: 'postgres://u:p@db/parley',
    masterKey: Buffer.alloc(32, 0xab),
    masterKeyPrevious: Buffer.alloc(32, 0xcd),
    smtpUrl: 'smtp://u:p@mail:25',
  });
});

test('a secret given twice, or by a file that is empty, too large, no file or not there, is told by both names, and no value is', () => {
  const folder = tempFolder('config');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'empty'), ' \n');
  writeFileSync(join(folder, 'large'), 'a'.repeat(70_000));
  const twice = { MASTER_KEY: 'ab'.repeat(32), MASTER_KEY_FILE: join(folder, 'empty') };
  expect(problemsOf(twice)).toEqual(['MASTER_KEY and MASTER_KEY_FILE are both given: leave one of them out']);
  for (const [path, problem] of [
    ['empty', 'is empty'],
    ['large', 'cannot be read'],
    ['none', 'cannot be read'],
    ['.', 'cannot be read'],
  ] as const) {
    const problems = problemsOf({ SMTP_URL_FILE: join(folder, path) });
    expect(problems).toEqual([expect.stringContaining(`SMTP_URL_FILE ${problem} (${folder}`)]);
  }
  writeFileSync(join(folder, 'wrong'), 'hidden');
  expect(problemsOf({ SMTP_URL_FILE: join(folder, 'wrong') })).toEqual([expect.stringMatching(/^SMTP_URL must be/)]);
});

test('a certificate file that holds none is told', () => {
  const folder = tempFolder('config');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'ca.pem');
  writeFileSync(file, 'not a certificate');
  expect(problemsOf({ EGRESS_CA_FILE: file })).toEqual(['EGRESS_CA_FILE holds no PEM certificate']);
  writeFileSync(file, '-----BEGIN CERTIFICATE-----\nbroken\n-----END CERTIFICATE-----\n');
  expect(problemsOf({ EGRESS_CA_FILE: file })).toEqual(['EGRESS_CA_FILE holds no PEM certificate']);
});
