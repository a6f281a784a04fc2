export type StreamEvent = { event: string; data: string };

/** More than the server ever sends as one event. */
const mostCharacters = 4_000_000;

/** Reads server-sent events piece by piece. Comments are no events. */
export const createEventReader = (): ((piece: string) => StreamEvent[]) => {
  let rest = '';
  let event = '';
  let data: string[] = [];
  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    if (rest.length > mostCharacters) throw new Error('The event is too long');
    const events: StreamEvent[] = [];
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) events.push({ event: event || 'message', data: data.join('\n') });
        event = '';
        data = [];
      } else if (line.startsWith('event:')) event = line.slice(6).trim();
      else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
    }
    return events;
  };
};

/** Hands every event of a body to `take`, and every sign of life to `alive`, until the body ends. Throws where it breaks off. */
export const readEvents = async (
  body: ReadableStream<Uint8Array>,
  { take, alive }: { take: (event: StreamEvent) => void; alive: () => void },
): Promise<void> => {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const read = createEventReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    alive();
    for (const event of read(decoder.decode(value, { stream: true }))) take(event);
  }
};
