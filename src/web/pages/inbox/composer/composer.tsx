import { SegmentedControl, Text } from '@mantine/core';
import { memo } from 'react';
import type { Schemas } from '../../../api/client.ts';
import { words as all } from '../words.ts';
import { NoteEditor } from './note-editor.tsx';
import { ReplyEditor } from './reply-editor.tsx';
import type { Kind } from './draft-key.ts';
import type { Given } from './reply-editor.tsx';

const words = all.composer;

const kinds = ['reply', 'note'] as const;

type Props = {
  conversation: Schemas['Conversation'];
  /** What the contact is called. */
  name: string;
  kind: Kind;
  setKind: (kind: Kind) => void;
  /** The revision that is shown. */
  seen: number;
  given: Given | undefined;
};

/** Where agents write: a reply to the contact, or a note for agents, each with a colour and a button of its own. */
export const Composer = memo(({ conversation, name, kind, setKind, seen, given }: Props) => (
  <section className="composer" data-kind={kind} aria-label={words.kind}>
    <div className="composer-head">
      <SegmentedControl
        size="xs"
        aria-label={words.kind}
        value={kind}
        onChange={(chosen) => setKind(chosen === 'note' ? 'note' : 'reply')}
        data={kinds.map((value) => ({ value, label: words.kinds[value] }))}
      />
      {kind === 'note' && (
        <Text span size="xs" fw={600} className="composer-mark">
          {all.thread.noteHint}
        </Text>
      )}
    </div>
    {kind === 'note' ? (
      <NoteEditor key={`${conversation.id} note`} conversationId={conversation.id} />
    ) : (
      <ReplyEditor key={`${conversation.id} reply`} {...{ conversation, name, seen, given }} />
    )}
  </section>
));
