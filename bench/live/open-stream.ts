import { get, type IncomingMessage } from 'node:http';

export type StreamEvent = { event: string; data: unknown };

/**
 * Opens a stream of server-sent events over a connection of its own, and hands over each event. Resolves with what closes it when its first bytes have
 * come. Rejects when it is refused. A stream that the server ends fails the bench.
 */
export const openStream = (
  url: string,
  { headers, take }: { headers: Record<string, string>; take: (event: StreamEvent) => void },
): Promise<() => void> =>
  new Promise((resolve, reject) => {
    let isClosed = false;
    const asked = get(url, { headers, agent: false }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`a stream was answered ${answer.statusCode}`));
      answer.once('data', () => resolve(close));
      readEvents(answer, take);
      answer.once('close', () => {
        if (!isClosed) void Promise.reject(new Error('the server has ended a stream'));
      });
    });
    const close = (): void => {
      isClosed = true;
      asked.destroy();
    };
    asked.once('error', reject);
  });

const readEvents = (answer: IncomingMessage, take: (event: StreamEvent) => void): void => {
  let rest = '';
  answer.setEncoding('utf8');
  answer.on('data', (piece: string) => {
    const events = (rest + piece).split('\n\n');
    rest = events.pop() ?? '';
    for (const text of events) {
      const [, event = 'message'] = /^event: (.*)$/m.exec(text) ?? [];
      const [, data] = /^data: (.*)$/m.exec(text) ?? [];
      if (data !== undefined) take({ event, data: JSON.parse(data) });
    }
  });
};
