import { useState, type DragEvent, type ReactNode } from 'react';
import { words } from '../words.ts';

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

type Props = { add: ((files: readonly File[]) => void) | undefined; children: ReactNode };

/** Takes files that are dropped on what it has in it, and says so while they are over it; none without `add`. */
export const DropFiles = ({ add, children }: Props) => {
  const [isOver, setIsOver] = useState(false);
  return (
    <div
      className="composer-drop"
      data-over={isOver ? words.composer.drop : undefined}
      onDragOver={(event) => {
        if (!add || !hasFiles(event)) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false);
      }}
      onDrop={(event) => {
        if (!add || !hasFiles(event)) return;
        event.preventDefault();
        setIsOver(false);
        add([...event.dataTransfer.files]);
      }}
    >
      {children}
    </div>
  );
};
