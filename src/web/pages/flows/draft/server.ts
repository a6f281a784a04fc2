import { client, type Schemas } from '../../../api/client.ts';
import { ApiFailure } from '../../../api/failure.ts';
import { queryClient } from '../../../api/query-client.ts';
import { sessionKey } from '../../../api/session-end.ts';
import type { DraftServer, Unserved } from './saver.ts';

/** Whose draft of which flow. */
export type Owner = { userId: string; flowId: string; mayEdit: boolean };

/** After so many ms without an answer a request is given up. */
const patienceMs = 30_000;

/** The most characters of a request that a browser still sends after its page is gone. */
const lastCharacters = 60_000;

/** Reads the draft as it is stored. Throws as every request does. */
export const readDraft = async (flowId: string): Promise<Schemas['FlowDraft']> => {
  const { data } = await client.GET('/flows/{id}/draft', {
    params: { path: { id: flowId } },
    signal: AbortSignal.timeout(patienceMs),
  });
  if (!data) throw new TypeError('a draft that is read is answered');
  return data;
};

/** The drafts of the API, as long as their writer is signed in. */
export const createServer = ({ userId, flowId }: Owner): DraftServer => ({
  read: () =>
    serve(userId, async () => {
      const { revision, definition, issues } = await readDraft(flowId);
      return { is: 'read', stored: { revision, definition }, issues };
    }),
  store: ({ revision, definition }, { isLast }) =>
    serve(userId, async () => {
      const { data } = await client.PUT('/flows/{id}/draft', {
        params: { path: { id: flowId }, header: { 'If-Match': `"${revision}"` } },
        body: { definition },
        signal: AbortSignal.timeout(patienceMs),
        ...(isLast && JSON.stringify(definition).length < lastCharacters && { keepalive: true }),
      });
      if (!data) throw new TypeError('a saved draft is answered');
      return { is: 'stored', revision: data.revision, issues: data.issues };
    }),
});

const serve = async <Answer>(userId: string, ask: () => Promise<Answer>): Promise<Answer | Unserved | Changed> => {
  if (userNow() !== userId) return { is: 'ended' };
  try {
    return await ask();
  } catch (error) {
    return readRefusal(error);
  }
};

/** Who is signed in: somebody else may be by now. */
const userNow = (): string | undefined => queryClient.getQueryData<Schemas['Session'] | null>(sessionKey)?.user.id;

type Changed = { is: 'changed' };

const readRefusal = (error: unknown): Unserved | Changed => {
  if (!(error instanceof ApiFailure)) return { is: 'away' };
  const { status, message, details, retryAfterSeconds } = error;
  if (status === 412) return { is: 'changed' };
  if (status === 401) return { is: 'ended' };
  if (status === 429 || status >= 500)
    return { is: 'away', retryMs: retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1_000 };
  return { is: 'refused', why: [message, ...details.map((one) => `${one.path} ${one.message}`)].join(' ') };
};
