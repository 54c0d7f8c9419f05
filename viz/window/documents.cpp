// Documents of the window: new, open, save, recover, pictures, printing, closing, drag and drop.

#include "core/base/error.h"
#include "viz/render/render.h"
#include "viz/window/main_window.h"
#include "viz/window/print.h"
#include "viz/window/projector.h"
#include "viz/window/settings.h"
#include "viz/window/windows.h"

#include <QApplication>
#include <QCloseEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>
#include <QMimeData>
#include <QPrintDialog>
#include <QPrinter>
#include <QPushButton>

namespace bubblescope::viz {

void MainWindow::openFiles(const QStringList& addresses)
{
    openInWindows(*this, addresses);
}

bool MainWindow::replaceable() const
{
    return m_workbench.temporary() && !m_workbench.unsaved() && !m_workbench.jobs().busy() && !m_execution.running();
}

void MainWindow::openDocument(const QString& path, const std::vector<int>& runs)
{
    m_messages->say({});
    m_workbench.open(path, [this, path, runs](bool done) {
        if (!done)
            return;
        settings::addRecentFile(QFileInfo(path).absoluteFilePath());
        if (!runs.empty())
            m_workbench.setShown(runs);
    });
}

void MainWindow::whenSaved(const std::function<void()>& next)
{
    if (m_execution.running()) {
        m_messages->say(tr("An execution is running. Cancel it first, or wait until it ends."));
        return;
    }
    if (m_workbench.jobs().busy()) {
        m_workbench.jobs().whenIdle([this, next] { whenSaved(next); });
        return;
    }
    if (!m_workbench.unsaved()) {
        next();
        return;
    }
    QMessageBox box(this);
    box.setObjectName(QStringLiteral("unsavedPrompt"));
    box.setIcon(QMessageBox::Question);
    box.setText(m_workbench.temporary() ? tr("Save this experiment first?")
                                        : tr("Save the changes to %1 first?").arg(m_workbench.displayName()));
    box.setInformativeText(m_workbench.temporary() ? tr("It has no file yet; its runs are lost when it is closed.")
                           : m_workbench.missing()
                               ? tr("Its file was deleted by another program. Saving writes it again.")
                               : tr("Its runs are saved already; what you edited since the last Ctrl+S isn't."));
    box.setStandardButtons(QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    box.setDefaultButton(QMessageBox::Save);
    const int answer = box.exec();
    if (answer == QMessageBox::Discard) {
        m_workbench.discard();
        next();
    } else if (answer == QMessageBox::Save) {
        save([next](bool saved) {
            if (saved)
                next();
        });
    }
}

void MainWindow::newDocument()
{
    whenSaved([this] {
        m_messages->say({});
        m_workbench.newDocument();
    });
}

void MainWindow::openDialog()
{
    const QStringList paths =
        QFileDialog::getOpenFileNames(this, tr("Open"), {}, tr("Bubblescope documents (*.bscope);;All files (*)"));
    if (!paths.isEmpty())
        openFiles(paths);
}

void MainWindow::save(const Workbench::Done& done)
{
    if (m_workbench.temporary())
        saveAsDialog(done);
    else
        saveAs(m_workbench.path(), done);
}

void MainWindow::saveAs(const QString& path, const Workbench::Done& done)
{
    if (m_execution.running()) {
        m_messages->say(tr("An execution is writing into the document. Save when it has ended, or cancel it."));
        return;
    }
    m_messages->say({});
    m_workbench.saveAs(path, [this, done](bool saved) {
        if (saved)
            settings::addRecentFile(m_workbench.path());
        else if (const QString sentence = m_messages->sentence(); !sentence.isEmpty())
            m_messages->say(sentence, {{tr("Save as …"), [this] { saveAsDialog({}); }}});
        if (done)
            done(saved);
    });
}

void MainWindow::saveAsDialog(const Workbench::Done& done)
{
    QFileDialog dialog(this, tr("Save as"), m_workbench.temporary() ? QString() : m_workbench.path(),
                       tr("Bubblescope documents (*.bscope)"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(QStringLiteral("bscope"));
    if (dialog.exec() == QDialog::Accepted)
        saveAs(dialog.selectedFiles().constFirst(), done);
}

void MainWindow::offerRecovery()
{
    const std::vector<LeftWork> left = leftWork();
    if (left.empty()) {
        if (sender() != nullptr) // somebody asked
            m_messages->say(tr("There is nothing to recover: all work is saved or open."));
        return;
    }
    QStringList names;
    for (const LeftWork& work : left)
        names << tr("%1 of %2")
                     .arg(work.document.isEmpty() ? tr("untitled") : QFileInfo(work.document).fileName(),
                          QLocale().toString(work.when, QLocale::ShortFormat));
    m_messages->say(
        tr("Bubblescope ended unexpectedly while this wasn't saved: %1.").arg(names.join(QStringLiteral(", "))),
        {{tr("Recover"), [this, left] { recover(left); }}, {tr("Discard"), [left] {
                                                                for (const LeftWork& work : left)
                                                                    if (const auto folder =
                                                                            RecoveryFolder::take(work.folder))
                                                                        folder->remove();
                                                            }}});
}

void MainWindow::recover(const std::vector<LeftWork>& left)
{
    bool free = replaceable();
    for (const LeftWork& work : left) {
        MainWindow* window = free ? this : newWindow();
        free = false;
        window->workbench().recover(work);
    }
}

void MainWindow::exportPicture()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Export picture"), QStringLiteral("timelines.png"),
                                                      tr("Pictures (*.png *.svg *.pdf)"));
    if (path.isEmpty())
        return;
    RenderOptions options;
    options.dark = currentTheme().dark;
    try {
        viz::render(m_workbench.shownRuns(), path, options);
    } catch (const std::runtime_error& error) {
        m_messages->say(QString::fromUtf8(error.what()));
    }
}

void MainWindow::printTo(QPrinter& printer)
{
    printer.setDocName(m_workbench.displayName());
    try {
        printRuns(printer, m_workbench.shownRuns(), m_workbench.displayName());
    } catch (const std::runtime_error& error) {
        m_messages->say(QString::fromUtf8(error.what()));
    }
}

void MainWindow::printDialog()
{
    QPrinter printer;
    printer.setPageOrientation(QPageLayout::Landscape);
    QPrintDialog dialog(&printer, this);
    if (dialog.exec() == QDialog::Accepted)
        printTo(printer);
}

void MainWindow::printPdfDialog()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Print to PDF"), QStringLiteral("timelines.pdf"),
                                                      tr("PDF files (*.pdf)"));
    if (!path.isEmpty())
        printPdf(path);
}

void MainWindow::printPdf(const QString& path)
{
    QPrinter printer;
    printer.setOutputFormat(QPrinter::PdfFormat);
    printer.setPageOrientation(QPageLayout::Landscape);
    printer.setOutputFileName(path);
    printTo(printer);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    const bool free = !m_execution.running() && !m_workbench.jobs().busy() && !m_workbench.unsaved();
    if (!m_closing && !free) {
        // An answer may come at once, and a window that is closing can't be closed again: then this event does it.
        const auto asking = std::make_shared<bool>(true);
        whenSaved([this, asking] {
            m_closing = true;
            if (!*asking)
                close();
        });
        *asking = false;
        if (!m_closing) {
            event->ignore();
            return;
        }
    }
    m_projector->setOn(false); // what is remembered is the ordinary layout
    keepLayout();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile() && url.toLocalFile().endsWith(QLatin1String(".bscope")))
            event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    QStringList files;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            files << url.toLocalFile();
    event->acceptProposedAction();
    // Later, so that a prompt doesn't hold the other program's drag.
    QMetaObject::invokeMethod(
        this, [this, files] { openFiles(files); }, Qt::QueuedConnection);
}

} // namespace bubblescope::viz
