// A wall has no keyboard: a page that could not show its sign tries again by itself.
setTimeout(() => location.reload(), Number(document.body.dataset.again) * 1000);
