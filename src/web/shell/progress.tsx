import { useIsFetching } from '@tanstack/react-query';
import { useNavigation } from 'react-router';

/** A thin bar while a page that was gone to is on its way: its code, and then the first of its data. Its words are those of what waits in the page. */
export const Progress = () => {
  const isNavigating = useNavigation().state !== 'idle';
  const first = useIsFetching({ predicate: ({ state }) => state.data === undefined });
  return isNavigating || first > 0 ? <div className="progress" aria-hidden /> : null;
};
