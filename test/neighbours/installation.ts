import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { parley } from '../cli/parley.ts';
import { startParley } from '../helpers/parley-process.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { startTelegram, type TelegramService } from '../helpers/telegram/service.ts';
import { startThirdParty } from './start-third-party.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

/** What the API answered: a status, and its body where that is JSON. */
type Answered = { status: number; body: Record<string, unknown> };

/** An account, and requests with its key below `/v1`: a body is JSON already where it is a text. */
export type Caller = { call: (method: string, path: string, body?: object | string) => Promise<Answered> };

/** A Parley with the settings of `npm start`, in a process of its own. */
export type Installation = {
  /** Where it listens, without a slash at its end. */
  url: string;
  /** What the neighbour's webhook calls. */
  receiver: Receiver;
  /** The url of what adversaries have called, with a slash at its end. */
  thirdParty: string;
  /** A double of Telegram. */
  telegram: TelegramService;
  /** `headers` go with each of its requests. */
  createCaller: (name: string, headers?: Record<string, string>) => Promise<Caller>;
  stop: () => Promise<void>;
};

/** The sources whose Parley is measured: these, unless another folder is named, such as that of a version before. */
const sources = process.env['NEIGHBOURS_OF'];

const created = z.object({ api_key: z.string() });
const json = z.record(z.string(), z.unknown()).catch({});

export const startInstallation = async (): Promise<Installation> => {
  await using started = new AsyncDisposableStack();
  const dataDir = tempFolder('neighbours');
  started.defer(() => rm(dataDir, { recursive: true, force: true }));
  const receiver = await startReceiver();
  started.defer(() => receiver.close());
  const EGRESS_CA_FILE = join(dataDir, 'ca.pem');
  const thirdParty = await startThirdParty();
  started.defer(() => thirdParty.stop());
  const telegram = await startTelegram();
  started.defer(() => telegram.close());
  await writeFile(EGRESS_CA_FILE, receiver.caPem + thirdParty.caPem);
  const service = await startParley({
    ...(sources !== undefined && { cwd: sources }),
    env: {
      DATA_DIR: dataDir,
      EGRESS_ALLOW: '127.0.0.0/8',
      EGRESS_CA_FILE,
      TELEGRAM_API_URL: telegram.url,
      TELEGRAM_UPDATES: 'webhook',
    },
  });
  started.defer(async () => void (await service.stop()));
  const createCaller: Installation['createCaller'] = async (name, headers = {}) => {
    const account = ['--name', name, '--email', `${name}@example.com`, '--json'];
    const made = await parley({ DATA_DIR: dataDir }, 'accounts', 'create', ...account);
    const { api_key: key } = created.parse(made.json());
    const call: Caller['call'] = async (method, path, body) => {
      const answer = await fetch(`${service.url}/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return { status: answer.status, body: json.parse(await answer.json().catch(() => ({}))) };
    };
    return { call };
  };
  const running = started.move();
  return {
    url: service.url,
    receiver,
    thirdParty: thirdParty.url,
    telegram,
    createCaller,
    stop: () => running.disposeAsync(),
  };
};
