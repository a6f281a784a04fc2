import { sayFailure, sayRefusal } from '../../../shared/credentials/oauth2/say.ts';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { RowAction } from '../../parts/row-action.tsx';
import { showDone } from '../../parts/show-done.tsx';
import { useSending } from '../../parts/use-sending.ts';
import { capitalized } from './capitalized.ts';
import { words } from './words.ts';

/** Has the token endpoint asked again with the same secrets, and tells the outcome. */
export const TryAgain = ({ credential: { id, name } }: { credential: Schemas['Credential'] }) => {
  const { isSending, send } = useSending();
  const ask = async (): Promise<void> => {
    const { data } = await client.POST('/credentials/{id}/retry', { params: { path: { id } } });
    await invalidate('/credentials');
    const { state, reason } = data?.oauth2 ?? {};
    if (state === 'connected') return showDone({ message: words.connected(name) });
    const why = reason ? capitalized(state === 'reconnect' ? sayRefusal(reason) : sayFailure(reason)) : undefined;
    showDone({ message: words.notConnected(name), ...(why !== undefined && { more: why }), how: 'not' });
  };
  return (
    <RowAction label={words.tryAgainOf(name)} isSending={isSending} onClick={() => void send(ask)}>
      {words.tryAgain}
    </RowAction>
  );
};
