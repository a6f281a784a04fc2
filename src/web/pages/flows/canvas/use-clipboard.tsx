import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { isCurl } from '../../../../shared/flows/curl/parse-curl.ts';
import { showFailure } from '../../../parts/failure.tsx';
import { showDone } from '../../../parts/show-done.tsx';
import type { Instance } from '../drawing/view.ts';
import { isId } from '../edits/refs.ts';
import { readCopied, type Copied } from '../edits/copy.ts';
import { PasteCurl } from '../request/paste-curl.tsx';
import type { Actions, Now } from './actions.ts';
import { findMissing, readAccount, withFlows, type Missing } from './missing.ts';
import { PasteDialog } from './paste-dialog.tsx';
import { words } from './words.ts';

type Point = { x: number; y: number };

type Deps = {
  canvas: RefObject<HTMLDivElement | null>;
  drawn: Instance;
  now: () => Now;
  actions: Actions;
  say: (text: string) => void;
};

type Asked = { copied: Copied; missing: readonly Missing[]; at: Point };

const refuse = (message: string): void => showDone({ message, how: 'not' });

/** Copies, cuts and pastes blocks through the clipboard of the system, while the canvas has the focus. */
export const useClipboard = ({ canvas, drawn, now, actions, say }: Deps) => {
  const [asked, setAsked] = useState<Asked>();
  const [curl, setCurl] = useState<{ text: string; at: Point }>();
  const pointer = useRef<Point>(undefined);

  const paste = useCallback(
    async (given: Copied, at: Point): Promise<void> => {
      try {
        const account = await readAccount();
        const copied = withFlows(given, account);
        const missing = findMissing(copied, account);
        if (missing.length > 0) setAsked({ copied, missing, at });
        else actions.paste(copied, at);
      } catch (error) {
        showFailure(error);
      }
    },
    [actions],
  );

  useEffect(() => {
    const { current: box } = canvas;
    const isHere = (): boolean => {
      const { activeElement } = document;
      return activeElement?.closest('.react-flow') !== null && box?.contains(activeElement) === true;
    };
    const placeOf = (): Point => {
      const { left = 0, top = 0, width = 0, height = 0 } = box?.getBoundingClientRect() ?? {};
      return drawn.screenToFlowPosition(pointer.current ?? { x: left + width / 2, y: top + height / 2 });
    };
    const chosen = (): string[] => now().builder.selected.filter(isId);
    const copy = (event: ClipboardEvent): boolean => {
      const ids = chosen();
      // A text that is marked is copied as it is elsewhere.
      if (!isHere() || ids.length === 0 || document.getSelection()?.isCollapsed === false) return false;
      event.clipboardData?.setData('text/plain', JSON.stringify(actions.copy(ids)));
      event.preventDefault();
      return true;
    };
    const hear = (event: ClipboardEvent): void => {
      if (event.type === 'copy') {
        if (copy(event)) say(words.said.copied(chosen().length));
        return;
      }
      if (event.type === 'cut') {
        const ids = chosen();
        if (copy(event)) actions.remove(ids, words.steps.cut(ids.length));
        return;
      }
      if (!isHere()) return;
      event.preventDefault();
      const text = event.clipboardData?.getData('text/plain') ?? '';
      const read = readCopied(text);
      if ('copied' in read) void paste(read.copied, placeOf());
      else if (read.refusal === 'none' && isCurl(text)) setCurl({ text, at: placeOf() });
      else refuse(words.paste.refused[read.refusal]);
    };
    const follow = ({ clientX: x, clientY: y }: PointerEvent): void => {
      pointer.current = { x, y };
    };
    const leave = (): void => {
      pointer.current = undefined;
    };
    const events = ['copy', 'cut', 'paste'] as const;
    for (const name of events) document.addEventListener(name, hear);
    box?.addEventListener('pointermove', follow, { passive: true });
    box?.addEventListener('pointerleave', leave);
    return () => {
      for (const name of events) document.removeEventListener(name, hear);
      box?.removeEventListener('pointermove', follow);
      box?.removeEventListener('pointerleave', leave);
    };
  }, [canvas, drawn, now, actions, say, paste]);

  return (
    <>
      {asked && (
        <PasteDialog
          missing={asked.missing}
          close={() => setAsked(undefined)}
          paste={() => {
            setAsked(undefined);
            actions.paste(asked.copied, asked.at);
          }}
        />
      )}
      {curl && <PasteCurl text={curl.text} at={curl.at} close={() => setCurl(undefined)} />}
    </>
  );
};
