import './look/mantine.css';
import './look/inter/inter.css';
import './look/colors.css';
import './look/cards.css';
import './look/status.css';
import './look/fill.css';
import './look/shell.css';
import './look/skeleton.css';
import './page.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { readNobody } from './api/session.ts';
import { App } from './app.tsx';
import { readNonce } from './nonce.ts';
import { endSkeleton } from './shell/skeleton.tsx';
import { reloadOnce } from './shell/reload-once.ts';

readNonce();
readNobody();

addEventListener('vite:preloadError', reloadOnce);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
endSkeleton(root);
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
