import { z } from 'zod';

export type Requests = {
  /** Prints a line that sets `$name` to this value, and from then on `$name` instead of the value. */
  nameValue: (name: string, value: string) => void;
  /** Makes a request and prints it as a curl command, with its answer. Throws when the answer is no success. */
  send: <Schema extends z.ZodType>(
    request: { url: string; headers: Record<string, string>; body?: unknown },
    answer: Schema,
  ) => Promise<{ body: z.infer<Schema>; headers: Headers }>;
};

/** What has an id among other things. */
export const withId = z.object({ id: z.string() });

/** Creates the demo's client. As with curl, a request with a body is a POST and one without is a GET. */
export const createRequests = ({ say }: { say: (line: string) => void }): Requests => {
  const names = new Map<string, string>();
  const withNames = (text: string): string =>
    [...names].reduce((named, [name, value]) => named.replaceAll(value, `$${name}`), text);

  return {
    nameValue: (name, value) => {
      names.set(name, value);
      say(`   export ${name}=${singleQuoted(value)}`);
    },
    send: async ({ url, headers, body }, answer) => {
      const json = body === undefined ? null : JSON.stringify(body);
      const sent = { ...(json !== null && { 'Content-Type': 'application/json' }), ...headers };
      const shown = Object.entries(sent).map(([name, value]) => `-H "${withNames(`${name}: ${value}`)}"`);
      const lines = [`curl ${url}`, shown.join(' '), ...(json === null ? [] : [`-d ${singleQuoted(json)}`])];
      say(`   ${lines.join(' \\\n     ')}`);
      const response = await fetch(url, { method: json === null ? 'GET' : 'POST', headers: sent, body: json });
      const text = await response.text();
      say(`   ${response.status} ${text}`);
      if (!response.ok) throw new Error(`${url} answered ${response.status}`);
      return { body: answer.parse(JSON.parse(text)), headers: response.headers };
    },
  };
};

/** Quotes a text for a shell. */
const singleQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
