import { useState } from 'react';
import { showFailure } from './failure.tsx';

/** What a button sends: whether it is under way, and a failure told, by a notice where `tell` is not given. */
export const useSending = (
  tell: (error: unknown) => void = showFailure,
): { isSending: boolean; send: (request: () => Promise<unknown>) => Promise<void> } => {
  const [isSending, setSending] = useState(false);
  const send = async (request: () => Promise<unknown>): Promise<void> => {
    setSending(true);
    try {
      await request();
    } catch (error) {
      tell(error);
    } finally {
      setSending(false);
    }
  };
  return { isSending, send };
};
