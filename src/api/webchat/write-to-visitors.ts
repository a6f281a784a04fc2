import type { VisitorStream } from './visitor-stream.ts';

export type VisitorWriter = ReturnType<typeof createVisitorWriter>;

/** Writes to streams of visitors. One of which more than `unreadBytes` wait to be read is dropped. */
export const createVisitorWriter = ({ unreadBytes }: { unreadBytes: number }) => {
  const write = ({ response }: VisitorStream, text: string): void => {
    if (response.destroyed || response.writableEnded) return;
    if (response.writableLength > unreadBytes) response.destroy();
    else response.write(text);
  };
  const tell = (stream: VisitorStream, event: 'changes' | 'typing' | 'reset', body: object = {}): void =>
    write(stream, `event: ${event}\ndata: ${JSON.stringify(body)}\n\n`);
  return {
    tell,
    /** A sign of life. */
    beat: (stream: VisitorStream): void => write(stream, ':\n\n'),
    /** The client reads everything, and comes again for what follows that. */
    reset: (stream: VisitorStream): void => {
      tell(stream, 'reset');
      stream.response.end();
    },
    /** The client comes again. One that has not begun, or does not read, would take none of it, and is dropped. */
    end: ({ response, hasBegun }: VisitorStream): void => {
      if (hasBegun && response.writableLength === 0) response.end();
      else response.destroy();
    },
    isBehind: ({ response }: VisitorStream): boolean => response.writableLength > unreadBytes,
  };
};
