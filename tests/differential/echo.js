// The HTTP server of Node.js, which tells what it took for a request: as echo.c does. It serves until its standard input ends.
"use strict";
const http = require("http");

function tell(request, response) {
  const pieces = [];
  request.on("data", piece => pieces.push(piece));
  request.on("end", () => {
    // Node.js 18 takes an address with bytes that it lets nobody write into a header; we refuse those.
    const address = request.url.replace(/[^!-~]/g, "?");
    response.setHeader("X-Seen", `${request.method} ${address} ${Buffer.concat(pieces).toString("hex")}`);
    response.end();
  });
}

const server = http.createServer({ requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 }, tell);
server.on("checkExpectation", tell);
server.on("clientError", (error, socket) => {
  // The requests before it are answered first.
  setImmediate(() => setImmediate(() => {
    if (socket.writable)
      socket.end(`HTTP/1.1 400 Bad Request\r\nX-Refused: ${error.code}\r\n\r\n`);
  }));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.stdin.on("end", () => process.exit()).resume();
