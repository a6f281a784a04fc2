import './panel.css';
import { ActionIcon, Input, Textarea, Tooltip } from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState, type ComponentType } from 'react';
import { flushSync } from 'react-dom';
import { FieldProblems, useProblems } from './problems/field-problems.tsx';
import type { TemplateEditorProps } from './template/editor.tsx';
import { words } from './template/words.ts';

type Props = {
  label: string;
  description?: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
  /** What is wrong with it, beside the problems of its path. */
  error?: string | undefined;
  /** How many lines it has at first; one line takes no line breaks. */
  lines?: number;
  /** Its path within the block, "messages.0.text": `open` leads there, and the problems of that path stand below it. */
  path?: string;
  /** Where the text stands, which decides what is proposed. */
  place?: 'text' | 'value' | 'json' | 'url' | 'header' | 'form';
  /** Whether the label is only for those who do not see the field. */
  isLabelHidden?: boolean;
};

type Editor = ComponentType<TemplateEditorProps>;

/** Once it has come, further fields have it at once. */
let loaded: Editor | undefined;

const loadEditor = async (): Promise<Editor> => {
  loaded ??= (await import('./template/editor.tsx')).TemplateEditor;
  return loaded;
};

/** Whether an element has been in sight, or nearly so. */
const useSeen = (): [ref: (element: Element | null) => (() => void) | undefined, isSeen: boolean] => {
  const [isSeen, setSeen] = useState(false);
  const [watch] = useState(() => (element: Element | null) => {
    if (!element) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        setSeen(true);
        observer.disconnect();
      },
      { rootMargin: '300px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  });
  return [watch, isSeen];
};

/** A text with placeholders: `{{` proposes names, `|` filters. A plain field until its editor has come, which keeps what was typed and the cursor. */
export const TemplateInput = (props: Props) => {
  const { label, description, placeholder, value, onChange, error, lines = 1, path, place = 'text' } = props;
  const id = useId();
  const [seenRef, isSeen] = useSeen();
  const [Editor, setEditor] = useState<Editor | undefined>();
  const [selection, setSelection] = useState<TemplateEditorProps['selection']>();
  const [openList, setOpenList] = useState<() => void>();
  const textarea = useRef<HTMLTextAreaElement>(null);
  const isComposing = useRef(false);
  const problems = useProblems(path);

  useEffect(() => {
    if (!isSeen || Editor) return undefined;
    let isOver = false;
    const take = (editor: Editor): void => {
      const { current } = textarea;
      // What is being composed would be lost.
      if (isComposing.current) current?.addEventListener('compositionend', () => take(editor), { once: true });
      else if (!isOver) {
        const hasFocus = current !== null && document.activeElement === current;
        // At once: a key in between would be lost, and a focus that has moved on would be taken back.
        flushSync(() => {
          if (hasFocus) setSelection({ anchor: current.selectionStart, head: current.selectionEnd });
          setEditor(() => editor);
        });
      }
    };
    void loadEditor().then(take, () => undefined);
    return () => {
      isOver = true;
    };
  }, [isSeen, Editor]);

  const isWrong = error !== undefined || problems.some(({ severity }) => severity === 'error');
  const describedBy =
    [description !== undefined && `${id}-hint`, (error !== undefined || problems.length > 0) && `${id}-problems`]
      .filter(Boolean)
      .join(' ') || undefined;
  const attributes = { labelledBy: `${id}-label`, describedBy, isInvalid: isWrong };
  const focus = (): void => {
    const field = document.getElementById(`${id}-field`);
    field?.querySelector<HTMLElement>('textarea, [contenteditable]')?.focus();
  };
  return (
    <div ref={seenRef} data-field={path} className="template-input" data-invalid={isWrong || undefined}>
      <div className="template-head" data-is-hidden={props.isLabelHidden || undefined}>
        {/* The editor is no field that a label can name by `for`. */}
        <Input.Label labelElement="div" id={`${id}-label`} onClick={focus}>
          {label}
        </Input.Label>
        <Tooltip label={words.insert} events={{ hover: true, focus: false, touch: false }}>
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            tabIndex={-1}
            aria-label={words.insertInto(label)}
            onClick={() => (openList ? openList() : focus())}
          >
            <IconBraces size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      {description !== undefined && <Input.Description id={`${id}-hint`}>{description}</Input.Description>}
      <div id={`${id}-field`} className="template-field" style={{ minHeight: `calc(${lines} * 1.45em + 14px)` }}>
        {Editor ? (
          <Editor
            value={value}
            onChange={onChange}
            isMultiline={lines > 1}
            placeholder={placeholder}
            isJson={place === 'json'}
            takesCredentials={place === 'json' || place === 'header' || place === 'form'}
            attributes={attributes}
            selection={selection}
            onReady={(open) => setOpenList(() => open)}
          />
        ) : (
          <Textarea
            ref={textarea}
            classNames={{ input: 'template-plain' }}
            aria-labelledby={attributes.labelledBy}
            aria-describedby={describedBy}
            aria-invalid={isWrong || undefined}
            placeholder={placeholder}
            value={value}
            rows={lines}
            onCompositionStart={() => {
              isComposing.current = true;
            }}
            onCompositionEnd={() => {
              isComposing.current = false;
            }}
            onChange={({ currentTarget: { value: typed } }) =>
              onChange(lines > 1 ? typed : typed.replaceAll(/[\r\n]+/g, ' '))
            }
          />
        )}
      </div>
      <FieldProblems id={`${id}-problems`} error={error} problems={problems} />
    </div>
  );
};
