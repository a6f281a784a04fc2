import { Text as Words, Textarea, type TextareaProps } from '@mantine/core';
import { useRef, type ReactNode, type RefObject } from 'react';
import { usePresence } from '../../../live/presence.ts';
import { words as all } from '../words.ts';
import { CannedList, optionId } from './canned-list.tsx';
import { useCanned } from './use-canned.ts';
import { useIsTyping } from './use-is-typing.ts';
import type { Kind } from './draft-key.ts';
import type { useDraft } from './use-draft.ts';

const words = all.composer;

/** The most characters of a reply and of a note. */
const longest = 10_000;

/** How the keyboard finds the text of the composer. */
export const composerId = 'composer';

/** The thread, which gets the focus when the text is left. */
export const threadId = 'thread';

type Props = {
  conversationId: string;
  kind: Kind;
  label: string;
  placeholder: string;
  draft: ReturnType<typeof useDraft>;
  submit: () => void;
  /** Takes files that are pasted. */
  onPaste?: ((files: readonly File[]) => void) | undefined;
  /** What stands between the text and the buttons. */
  above?: ReactNode;
  /** The buttons. */
  children: ReactNode;
};

/** The text that is written, and whether it is saved. Colleagues see that it is being written. Ctrl and Enter send it. */
export const DraftText = ({
  conversationId,
  kind,
  label,
  placeholder,
  draft,
  submit,
  onPaste,
  above,
  children,
  ...more
}: Props & Extra) => {
  usePresence(conversationId, useIsTyping(draft.text) ? kind : null);
  return (
    <>
      <Textarea
        id={composerId}
        aria-label={label}
        // `dir` itself would be that of the element around it.
        attributes={{ input: { dir: 'auto' } }}
        placeholder={placeholder}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={longest}
        value={draft.text}
        {...more}
        onChange={(event) => {
          draft.change(event.currentTarget.value);
          more.onChange?.(event);
        }}
        onPaste={(event) => {
          const files = [...event.clipboardData.files];
          if (!onPaste || files.length === 0) return;
          event.preventDefault();
          onPaste(files);
        }}
        onKeyDown={(event) => {
          more.onKeyDown?.(event);
          if (event.defaultPrevented || event.nativeEvent.isComposing) return;
          // Single keys are heard again.
          if (event.key === 'Escape') document.getElementById(threadId)?.focus({ preventScroll: true });
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            submit();
          }
        }}
      />
      {above}
      <div className="composer-foot">
        <Words size="xs" c="dimmed" role="status">
          {draft.text === '' ? '' : draft.isSaved ? words.draftSaved : words.draftUnsaved}
        </Words>
        {children}
      </div>
    </>
  );
};

type Extra = Pick<TextareaProps, 'readOnly' | 'onChange' | 'onKeyDown' | 'onSelect' | 'onBlur'> & {
  ref?: RefObject<HTMLTextAreaElement | null>;
  'aria-controls'?: string | undefined;
  'aria-activedescendant'?: string | undefined;
  'aria-autocomplete'?: 'list';
};

/** The same with canned replies behind a slash. */
export const ReplyText = ({ contactId, isReadOnly, ...props }: Props & { contactId: string; isReadOnly: boolean }) => {
  const area = useRef<HTMLTextAreaElement>(null);
  const listId = `${composerId}-canned`;
  const canned = useCanned({
    contactId,
    text: props.draft.text,
    isOff: isReadOnly,
    put: ({ text, cursor }) => {
      props.draft.change(text);
      // After the text is there.
      requestAnimationFrame(() => {
        area.current?.focus();
        area.current?.setSelectionRange(cursor, cursor);
      });
    },
  });
  const { isOpen, offered, chosen } = canned;
  const note = (): void => canned.noteCursor(area.current?.selectionStart);
  return (
    <div className="composer-text">
      {isOpen && (
        <CannedList
          id={listId}
          offered={offered}
          chosen={chosen}
          isSearching={canned.isSearching}
          choose={canned.choose}
        />
      )}
      <DraftText
        {...props}
        ref={area}
        readOnly={isReadOnly}
        aria-autocomplete="list"
        aria-controls={offered.length > 0 ? listId : undefined}
        aria-activedescendant={offered.length > 0 ? optionId(listId, chosen) : undefined}
        onChange={note}
        onSelect={note}
        onBlur={() => canned.noteCursor(undefined)}
        onKeyDown={canned.press}
      />
    </div>
  );
};
