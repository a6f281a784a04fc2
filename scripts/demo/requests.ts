import type { z } from 'zod';

export type Requests = {
  /** From now on this value is printed as `$name`, and told as a line to paste. */
  nameValue: (name: string, value: string) => void;
  /** Makes a request, prints it as the curl command that does the same, and the answer. Throws when the answer is no success. */
  send: <Schema extends z.ZodType>(
    request: { url: string; headers: Record<string, string>; body?: unknown },
    answer: Schema,
  ) => Promise<{ body: z.infer<Schema>; headers: Headers }>;
};

/** The demo's client: a POST with a body, a GET without one, as curl has it. */
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

/** For a shell to take as it is. */
const singleQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
