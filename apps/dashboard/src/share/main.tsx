// The page of a share, for people without an account. It is a program of its own, because it needs a tenth of the app.
import './share.css';
import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { IntlProvider } from 'use-intl';
import { words } from '../words/words.ts';
import { SharePage } from './share-page.tsx';

const EMBEDDED = location.pathname.startsWith('/embed/');

/** The address of another share, opened in the same tab, changes only the fragment. */
function useSecret(): string {
  const [secret, setSecret] = useState(() => location.hash.slice(1));
  useEffect(() => {
    const read = () => setSecret(location.hash.slice(1));
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  return secret;
}

function Program() {
  const secret = useSecret();
  return <SharePage key={secret} secret={secret} />;
}

// Only sites that the share names can hold this page. They learn its height, so that the frame needs no bar.
if (EMBEDDED && window.parent !== window) {
  new ResizeObserver(() => {
    window.parent.postMessage({ type: 'landfall-share', height: document.documentElement.offsetHeight }, '*');
  }).observe(document.documentElement);
}
document.documentElement.classList.toggle('embedded', EMBEDDED);

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <IntlProvider locale="en" messages={words} timeZone={Intl.DateTimeFormat().resolvedOptions().timeZone}>
      <Program />
    </IntlProvider>
  </StrictMode>,
);
