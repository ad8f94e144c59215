(() => {
  const { copy, copied } = document.body.dataset;

  const pages = document.getElementById('pages');
  const current = pages?.querySelector('[aria-current="page"]');
  if (current) {
    const above = current.getBoundingClientRect().top - pages.getBoundingClientRect().top;
    pages.scrollTop += above - pages.clientHeight / 3;
  }

  // Pages have no origin, so browsers may refuse the clipboard. Copying a selection needs no permission.
  const copySelection = (code) => {
    const selection = getSelection();
    selection.selectAllChildren(code);
    const isDone = document.execCommand('copy');
    selection.removeAllRanges();
    return isDone;
  };
  const copyText = async (code) => {
    try {
      await navigator.clipboard.writeText(code.textContent.replace(/\n$/, ''));
      return true;
    } catch {
      return copySelection(code);
    }
  };
  for (const code of document.querySelectorAll('.code > pre > code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = copy;
    button.addEventListener('click', async () => {
      if (!(await copyText(code))) return;
      button.textContent = copied;
      setTimeout(() => {
        button.textContent = copy;
      }, 2000);
    });
    code.closest('.code').append(button);
  }

  const form = document.querySelector('.bar > .search');
  const input = form?.querySelector('input');
  if (!input) return;
  const found = document.createElement('div');
  found.className = 'found';
  found.setAttribute('aria-live', 'polite');
  found.hidden = true;
  form.append(found);
  let waiting;
  let request = new AbortController();
  const search = async () => {
    const words = input.value.trim();
    request.abort();
    request = new AbortController();
    if (words.length < 2) {
      found.hidden = true;
      return;
    }
    try {
      const query = new URLSearchParams({ q: words, part: 'results' });
      const answer = await fetch(`${form.action}?${query}`, { signal: request.signal, credentials: 'omit' });
      if (!answer.ok || answer.redirected) return;
      found.innerHTML = await answer.text();
      found.hidden = false;
    } catch {
      // The form still leads to the page of results.
    }
  };
  input.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(search, 250);
  });
  form.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') found.hidden = true;
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget)) found.hidden = true;
  });
})();
