import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { newUuid } from '../../src/shared/ids.ts';

/** The chat in the browser of a visitor, who has a loopback address of their own. What is asked resolves with the status. */
export type Browser = {
  /** Writes the first message of another visitor, who this browser has from then on. */
  beginAnew: () => Promise<number>;
  say: (text: string) => Promise<number>;
  upload: (file: Buffer) => Promise<number>;
  /** Resolves when the stream has begun, or was refused. It stays open. */
  openStream: () => Promise<number>;
  closeStreams: () => void;
  close: () => void;
};

/** The `nth` address of this machine. */
export const addressOf = (nth: number): string => `127.1.${Math.floor(nth / 250)}.${1 + (nth % 250)}`;

/** A browser at `address` with the webchat, by its id, of a Parley. */
export const aBrowser = (url: string, webchatId: string, address: string): Browser => {
  const { port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 12, localAddress: address });
  const streams = new Set<IncomingMessage>();
  let token: string | undefined;

  const ask = async (method: string, path: string, body?: string | Buffer): Promise<IncomingMessage> => {
    const asked = request({
      agent,
      host: '127.0.0.1',
      port,
      method,
      path: `/webchat/${webchatId}${path}`,
      headers: {
        'content-type': typeof body === 'string' ? 'application/json' : 'application/octet-stream',
        ...(token !== undefined && { 'x-visitor-token': token }),
      },
    });
    asked.end(body);
    const [answer]: IncomingMessage[] = await once(asked, 'response');
    if (!answer) throw new Error('no answer');
    return answer;
  };

  const say = async (text: string): Promise<number> => {
    const answer = await ask('POST', '/messages', JSON.stringify({ client_id: newUuid(), text }));
    const { visitor_token } = JSON.parse(Buffer.concat(await answer.toArray()).toString());
    if (typeof visitor_token === 'string') token = visitor_token;
    return answer.statusCode ?? 0;
  };

  return {
    say,
    beginAnew: async () => {
      token = undefined;
      return say('Hello');
    },
    upload: async (file) => {
      const answer = await ask('POST', '/media?name=photo.png', file);
      await answer.toArray();
      return answer.statusCode ?? 0;
    },
    openStream: async () => {
      const answer = await ask('GET', '/stream?after=0');
      streams.add(answer);
      answer
        .on('error', () => {})
        .once('close', () => streams.delete(answer))
        .resume();
      return answer.statusCode ?? 0;
    },
    closeStreams: () => {
      for (const stream of streams) stream.destroy();
    },
    close: () => agent.destroy(),
  };
};
