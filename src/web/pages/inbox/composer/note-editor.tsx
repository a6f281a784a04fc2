import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { tellGap } from '../../../live/talks.ts';
import { sayFailureOf } from '../../../parts/failure.tsx';
import { newRandomId } from '../../../parts/random-id.ts';
import { useSending } from '../../../parts/use-sending.ts';
import { words as all } from '../words.ts';
import { insist } from './in-line.ts';
import { DraftText } from './text.tsx';
import { useDraft } from './use-draft.ts';

const words = all.composer;

/** Writes a note for agents. One that could not be stored comes back. */
export const NoteEditor = ({ conversationId: id }: { conversationId: string }) => {
  const draft = useDraft(id, 'note');
  const [failure, setFailure] = useState<unknown>();
  const { isSending, send } = useSending(setFailure);
  const text = draft.text.trim();
  const submit = (): void => {
    if (text === '' || isSending) return;
    // Of all tries: where the answer of one is lost, the next stores nothing anew.
    const params = { path: { id }, header: { 'Idempotency-Key': newRandomId() } };
    const store = async (): Promise<void> => {
      setFailure(undefined);
      await draft.clear();
      try {
        await insist(window, () => client.POST('/conversations/{id}/notes', { params, body: { text } }));
      } catch (error) {
        draft.giveBack(text);
        throw error;
      }
      tellGap();
    };
    draft.hold(send(store));
  };
  return (
    <DraftText
      conversationId={id}
      kind="note"
      label={words.noteText}
      placeholder={words.notePlaceholder}
      draft={draft}
      submit={submit}
      above={
        failure !== undefined && (
          <Text size="sm" c="red" role="alert">
            {sayFailureOf(failure)}
          </Text>
        )
      }
    >
      <Button size="sm" color="yellow.9" onClick={submit} loading={isSending} disabled={text === ''}>
        {words.addNote}
      </Button>
    </DraftText>
  );
};
