import { useState } from 'react';
import { api, client, type Schemas } from '../../../api/client.ts';
import { invalidate } from '../../../api/query-client.ts';
import { showFailure } from '../../../parts/failure.tsx';

export type Settings = Schemas['NotificationSettings'];

/** The user's settings, and what changes them: a change is shown at once, and goes back when it is refused. */
export const useSettings = () => {
  const { data, error, refetch } = api.useQuery('get', '/notification-settings');
  const [wanted, setWanted] = useState<Settings>();
  const settings = wanted ?? data;
  const save = async (body: Settings): Promise<void> => {
    setWanted(body);
    try {
      await client.PUT('/notification-settings', { body });
      await invalidate('/notification-settings');
    } catch (refused) {
      showFailure(refused);
    } finally {
      setWanted((now) => (now === body ? undefined : now));
    }
  };
  const change = (changes: Partial<Settings>): void => {
    if (settings) void save({ ...settings, ...changes });
  };
  return { settings, error, refetch, change };
};
