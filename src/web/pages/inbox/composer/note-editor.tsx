import { Button } from '@mantine/core';
import { client } from '../../../api/client.ts';
import { tellGap } from '../../../live/talks.ts';
import { useSending } from '../../../parts/use-sending.ts';
import { words as all } from '../words.ts';
import { DraftText } from './text.tsx';
import { useDraft } from './use-draft.ts';

const words = all.composer;

/** Writes a note for agents. Its text stays until it is stored. */
export const NoteEditor = ({ conversationId: id }: { conversationId: string }) => {
  const draft = useDraft(id, 'note');
  const { isSending, send } = useSending();
  const text = draft.text.trim();
  const submit = (): void => {
    if (text === '' || isSending) return;
    void send(async () => {
      await client.POST('/conversations/{id}/notes', { params: { path: { id } }, body: { text } });
      await draft.clear();
      tellGap();
    });
  };
  return (
    <DraftText
      conversationId={id}
      kind="note"
      label={words.noteText}
      placeholder={words.notePlaceholder}
      draft={draft}
      submit={submit}
    >
      <Button size="sm" color="yellow.9" onClick={submit} loading={isSending} disabled={text === ''}>
        {words.addNote}
      </Button>
    </DraftText>
  );
};
