import { ActionIcon, Stack, Tooltip } from '@mantine/core';
import { IconHelp, IconPlus, IconSearch, IconSitemap, type Icon } from '@tabler/icons-react';
import { memo } from 'react';
import { Tools } from '../drawing/tools.tsx';
import { words } from './words.ts';

type Point = { x: number; y: number };

type Props = {
  showBeginning: () => void;
  showAll: () => void;
  /** Opens the palette at a point of the window. */
  add: (at: Point) => void;
  search: () => void;
  tidy: () => void;
  help: () => void;
};

/** What can be done with the whole canvas. */
export const CanvasTools = memo(({ showBeginning, showAll, add, search, tidy, help }: Props) => (
  <Stack gap={4}>
    <Tool label={words.palette} icon={IconPlus} isFirst onClick={add} />
    <Tool label={words.tools.search} icon={IconSearch} onClick={search} />
    <Tool label={words.tools.tidy} icon={IconSitemap} onClick={tidy} />
    <Tools showBeginning={showBeginning} showAll={showAll} />
    <Tool label={words.tools.help} icon={IconHelp} onClick={help} />
  </Stack>
));
CanvasTools.displayName = 'CanvasTools';

type ToolProps = { label: string; icon: Icon; isFirst?: boolean; onClick: (at: Point) => void };

const Tool = ({ label, icon: Shown, isFirst = false, onClick }: ToolProps) => (
  <Tooltip label={label} position="left">
    <ActionIcon
      variant={isFirst ? 'filled' : 'default'}
      size="lg"
      aria-label={label}
      onClick={({ currentTarget }) => {
        const { left, bottom } = currentTarget.getBoundingClientRect();
        onClick({ x: left - 280, y: bottom });
      }}
    >
      <Shown size={18} aria-hidden />
    </ActionIcon>
  </Tooltip>
);
