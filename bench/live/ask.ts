import { Pool } from 'undici';
import { connections } from '../target.ts';

export type Ask = (request: {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  /** The status that it is answered with; another one rejects. */
  status: number;
  body?: object;
}) => Promise<unknown>;

/** Asks a process over a few connections, with the credential of each request. */
export const createAsk = (url: string): { ask: Ask; close: () => Promise<void> } => {
  const pool = new Pool(url, { connections });
  return {
    ask: async ({ method, path, headers, status, body }) => {
      const answer = await pool.request({
        method,
        path,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        body: body ? JSON.stringify(body) : null,
      });
      const text = await answer.body.text();
      if (answer.statusCode !== status) throw new Error(`${method} ${path} was answered ${answer.statusCode}: ${text}`);
      return JSON.parse(text);
    },
    close: () => pool.close(),
  };
};
