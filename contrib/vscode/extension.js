// Starts `idiolect lsp`, and shows the pages that it leaves in a panel.
"use strict";

const fs = require("fs");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

// The page is one file that loads nothing; its own policy keeps it so.
const showPage = (answer) => {
  if (!answer) return;
  if (!answer.report) {
    vscode.window.showInformationMessage(answer.text || "idiolect has no answer");
    return;
  }
  const title = (answer.text || "idiolect").split(":")[0];
  const panel = vscode.window.createWebviewPanel("idiolect", title, vscode.ViewColumn.Beside, { enableScripts: true });
  panel.webview.html = fs.readFileSync(answer.report, "utf8");
};

exports.activate = (context) => {
  const settings = vscode.workspace.getConfiguration("idiolect");
  client = new LanguageClient(
    "idiolect",
    "idiolect",
    { command: settings.get("path"), args: ["lsp"] },
    {
      documentSelector: [{ scheme: "file", language: "c" }],
      initializationOptions: { timeout: settings.get("timeout") },
      middleware: {
        executeCommand: async (command, args, next) => {
          const asked = { location: vscode.ProgressLocation.Window, title: command };
          const answer = await vscode.window.withProgress(asked, () => next(command, args));
          showPage(answer);
          return answer;
        },
      },
    },
  );
  context.subscriptions.push({ dispose: () => client.stop() });
  return client.start();
};

exports.deactivate = () => client && client.stop();
