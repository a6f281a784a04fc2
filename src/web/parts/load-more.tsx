import { Button, Center, Text } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { commonWords } from '../words/common.ts';
import type { List } from './use-list.ts';

type Props = {
  list: Pick<List<unknown>, 'more' | 'isLoadingMore'>;
  size?: 'xs' | 'sm';
  /** The word on the button, "Load more" when not given. */
  children?: ReactNode;
};

/**
 * Loads the next page of a list. Its place keeps the focus while the button cannot be pressed, and when it goes away with the last page: a keyboard would
 * be at the top of the page again.
 */
export const LoadMore = ({ list: { more, isLoadingMore }, size = 'sm', children }: Props) => {
  const place = useRef<HTMLDivElement>(null);
  const [hasLoaded, setLoaded] = useState(false);
  useEffect(() => {
    if (!isLoadingMore && document.activeElement === place.current)
      place.current?.querySelector('button')?.focus({ preventScroll: true });
  }, [isLoadingMore]);
  if (!more && !hasLoaded) return null;
  const load = (): void => {
    place.current?.focus({ preventScroll: true });
    setLoaded(true);
    more?.();
  };
  return (
    <Center ref={place} tabIndex={-1} className="load-more">
      {more ? (
        <Button variant="default" size={size} onClick={load} loading={isLoadingMore}>
          {children ?? commonWords.more}
        </Button>
      ) : (
        <Text size="sm" c="dimmed" role="status">
          {commonWords.allLoaded}
        </Text>
      )}
    </Center>
  );
};
