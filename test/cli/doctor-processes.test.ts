import { randomBytes } from 'node:crypto';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { listen } from '../../src/service/listen.ts';
import { describeSettings } from '../../src/shared/platform/processes/settings.ts';
import { parseConfig } from '../../src/shared/platform/config.ts';
import { newUuid } from '../../src/shared/ids.ts';
import { reportProcess, type Process } from '../../src/shared/platform/processes/processes.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { startParley, type ParleyProcess } from '../helpers/parley-process.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { startDevServer, type DevServer } from '../helpers/temporal.ts';
import { parleyHere, type Env } from './parley.ts';
import { ageProcesses, forgetProcesses, startedBefore } from '../helpers/states/processes.ts';

let database: TestDatabase;
let other: TestDatabase;
let temporal: DevServer;
/** What every process and every shell of the installation has. */
let servers: Env;

beforeAll(async () => {
  [database, other, temporal] = await Promise.all([createTestDatabase(), createTestDatabase(), startDevServer()]);
  servers = {
    DATA_DIR: tempFolder('doctor-processes'),
    DATABASE_URL: database.target,
    TEMPORAL_ADDRESS: temporal.address,
    MASTER_KEY: randomBytes(32).toString('base64'),
  };
});
afterAll(async () => {
  await Promise.all([database.drop(), other.drop(), temporal.stop()]);
});
beforeEach(async () => {
  await forgetProcesses(database.db);
});

const finding = z.object({ part: z.string(), state: z.string(), message: z.string(), remedy: z.string().optional() });

const doctor = async (changes: Env = {}) => {
  const { stdout, json } = await parleyHere({ ...servers, ...changes }, 'doctor', '--json');
  const { findings } = z.object({ findings: z.array(finding) }).parse(json());
  return { stdout, of: (part: string) => findings.filter((found) => found.part === part) };
};

const start = async (env: Env): Promise<ParleyProcess> => {
  const started = await startParley({ env: { ...servers, ...env } });
  onTestFinished(async () => void (await started.stop()));
  return started;
};

const said = (state: string, message: RegExp) => ({ state, message: expect.stringMatching(message) });

const startSmtp = async (): Promise<number> => {
  const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] });
  const listening = server.listen(0, '127.0.0.1');
  await new Promise((resolve) => void listening.once('listening', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
};

test('judges the settings of the running service, not those of its own shell, and shows no secret of them', async () => {
  const smtp = `127.0.0.1:${await startSmtp()}`;
  const service = await start({
    SMTP_URL: `smtp://sender:s3cret@${smtp}`,
    EGRESS_ALLOW: '127.0.0.0/8, [fd00::]/8:443',
    RETENTION_DAYS: '30',
  });
  const { of, stdout } = await doctor({ EGRESS_ALLOW: '10.0.0.0/8' });
  expect(of('Processes')).toMatchObject([
    said(
      'ok',
      /^1 running \(0\..*\): doctor checks their settings; this shell differs in EGRESS_ALLOW, SMTP_URL, RETENTION_DAYS$/,
    ),
  ]);
  expect(of('EGRESS_ALLOW')).toMatchObject([said('warning', /127\.0\.0\.0\/8, \[fd00::\]\/8:443$/)]);
  expect(of('SMTP')).toMatchObject([said('ok', new RegExp(`^${smtp} answers`))]);
  expect(of('Service')).toMatchObject([said('ok', new RegExp(`^${service.url} is ready$`))]);
  expect(of('Retention')).toMatchObject([said('ok', /keeps 30 days/), said('ok', /next run/)]);
  expect(stdout).not.toMatch(/s3cret|sender/);

  const elsewhere = await doctor({ DATABASE_URL: other.target, BASE_URL: service.url });
  expect(elsewhere.of('Service')).toMatchObject([
    said('wrong', new RegExp(`^another installation answers at ${service.url}$`)),
  ]);

  expect(await service.stop()).toBe(0);
  expect((await doctor()).of('Processes')).toMatchObject([said('ok', /^none .* settings of this shell/)]);
});

/** A process that has told of itself, with this environment. */
const aProcess = async (changes: Partial<Process> = {}, env: Env = {}): Promise<void> => {
  const settings = describeSettings(parseConfig({ ...servers, ...env }));
  const roles = ['api', 'deliveries', 'mail', 'maintenance'] as const;
  const process = { id: newUuid(), host: 'one', pid: 7, version: '0.3.0', roles, settings };
  await reportProcess(database.db, { ...process, ...changes });
};

test('says where the running processes disagree, of a setting that each of them uses', async () => {
  await aProcess({ host: 'first' }, { EGRESS_ALLOW: '10.0.0.0/8', SMTP_URL: 'smtp://a.example' });
  await aProcess({ host: 'second', pid: 8 }, { EGRESS_ALLOW: '10.0.0.0/8' });
  // It sends no mail.
  await aProcess({ host: 'third', roles: ['api', 'deliveries'] }, { EGRESS_ALLOW: '10.0.0.0/8, 127.0.0.1' });
  await aProcess({ host: 'fourth' }, { EGRESS_ALLOW: '127.0.0.1,10.0.0.0/8' });
  const { of } = await doctor();
  expect(of('EGRESS_ALLOW')).toMatchObject([
    said(
      'warning',
      /disagree: 10\.0\.0\.0\/8 \(second pid 8, first pid 7\); 10\.0\.0\.0\/8, 127.* \(fourth pid 7, third pid 7\)$/,
    ),
    said('warning', /^lets every account reach 10\.0\.0\.0\/8, 127\.0\.0\.1$/),
  ]);
  expect(of('SMTP_URL')).toMatchObject([said('warning', /disagree: .*smtp:\/\/a\.example \(first pid 7\)/)]);
  expect(of('SMTP_URL')[0]?.message).not.toContain('third');
  expect(of('BASE_URL')).toHaveLength(1);
});

test('tells of versions that are mixed, and warns when they have been for more than an hour', async () => {
  await aProcess({ version: '0.3.0' });
  await aProcess({ version: '0.4.0', host: 'new' });
  expect((await doctor()).of('Processes')).toMatchObject([said('ok', /^2 running \(0\.3\.0, 0\.4\.0\)/)]);
  await startedBefore(database.db, { hours: 2 });
  expect((await doctor()).of('Processes')).toMatchObject([
    said('ok', /^2 running/),
    said('warning', /0\.3\.0 \(one pid 7\); 0\.4\.0 \(new pid 7\) have run side by side for more than an hour/),
  ]);
});

test('a process that was killed counts no more after a minute', async () => {
  await aProcess({}, { EGRESS_ALLOW: '10.0.0.0/8' });
  await ageProcesses(database.db, { seconds: 61 });
  const { of } = await doctor();
  expect(of('Processes')).toMatchObject([said('ok', /^none/)]);
  expect(of('EGRESS_ALLOW')).toMatchObject([said('ok', /empty/)]);
});

test('a service of 0.2, which tells nothing of itself, is ready all the same; what is no Parley is not', async () => {
  const answers = { body: JSON.stringify({ status: 'up', postgres: 'up', temporal: 'up', worker: 'up' }) };
  const server = await listen((_, answer) => answer.end(answers.body), {
    name: 'PORT',
    host: '127.0.0.1',
    port: 0,
  });
  onTestFinished(server.stop);
  const BASE_URL = `http://127.0.0.1:${server.port}`;
  const { of } = await doctor({ BASE_URL });
  expect(of('Service')).toMatchObject([said('ok', new RegExp(`^${BASE_URL} is ready`))]);
  expect(of('Processes')).toMatchObject([said('ok', /^none running/)]);
  answers.body = '<h1>It works!</h1>';
  expect((await doctor({ BASE_URL })).of('Service')).toMatchObject([said('wrong', / answers 200, but is not Parley$/)]);
});
