import { ActionIcon, Progress, Text } from '@mantine/core';
import { IconPaperclip, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { sayFailureOf } from '../../../parts/failure.tsx';
import { messageWords } from '../../../words/messages.ts';
import { words as all } from '../words.ts';
import type { Attached, useAttached } from './attached.ts';

const words = all.composer;

type Files = ReturnType<typeof useAttached>;

/** The files that go with the reply, how far each is, and a button that takes it out. */
export const AttachedFiles = ({ attached, remove }: Pick<Files, 'attached' | 'remove'>) =>
  attached.length > 0 && (
    <ul className="composer-files" aria-label={words.files}>
      {attached.map((file) => (
        <li key={file.key} data-state={file.state}>
          {file.state === 'ready' && file.media.thumbnail_url !== null && (
            <img src={file.media.thumbnail_url} alt="" width={32} height={32} />
          )}
          <span className="composer-file">
            <Text span size="xs" truncate title={file.name}>
              {file.name}
            </Text>
            <HowFar file={file} />
          </span>
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={words.removeFile(file.name)}
            onClick={() => remove(file.key)}
          >
            <IconX size={14} aria-hidden />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );

const HowFar = ({ file }: { file: Attached }) => {
  if (file.state === 'uploading')
    return <Progress value={100 * file.part} size="xs" aria-label={words.uploading(file.name)} />;
  return (
    <Text
      span
      size="xs"
      c={file.state === 'ready' ? 'dimmed' : 'red'}
      role={file.state === 'ready' ? undefined : 'alert'}
    >
      {file.state === 'ready'
        ? messageWords.size(file.size)
        : file.state === 'too_large'
          ? words.tooLarge
          : sayFailureOf(file.error)}
    </Text>
  );
};

/** Chooses files on this device. */
export const AttachButton = ({ add, isFull }: Pick<Files, 'add' | 'isFull'>) => {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={words.attach}
        onChange={({ currentTarget }) => {
          add([...(currentTarget.files ?? [])]);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      <ActionIcon
        size={36}
        variant="subtle"
        color="gray"
        aria-label={words.attach}
        title={isFull ? words.full : words.attach}
        disabled={isFull}
        onClick={() => input.current?.click()}
      >
        <IconPaperclip size={18} aria-hidden />
      </ActionIcon>
    </>
  );
};
