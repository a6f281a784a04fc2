import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { pageLink } from '../parts/to.tsx';

/** The link that a click goes to in this tab: whoever holds a key down wants another tab, or a file. */
const linkOf = ({ target, defaultPrevented, button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) => {
  if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return null;
  return target instanceof Element ? target.closest<HTMLAnchorElement>(`a[${pageLink}]`) : null;
};

/** Shows the page of a link without loading everything anew: one listener for all of a page, because lists show hundreds. */
export const FollowLinks = () => {
  const navigate = useNavigate();
  useEffect(() => {
    const follow = (event: MouseEvent): void => {
      const link = linkOf(event);
      if (!link) return;
      event.preventDefault();
      const { pathname, search, hash } = link;
      void navigate({ pathname, search, hash }, { replace: link.href === location.href });
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, [navigate]);
  return null;
};
